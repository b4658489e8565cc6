// inspector.ts: the card beside what was clicked: what it is, its numbers, and what one can do with it.

import type { App, Selection } from "./app";
import { figure, find, make } from "./dom";
import { groupName } from "./draw";
import { ringOf } from "./ground";
import type { Ring } from "./types";

export class Inspector {
  private box = find("inspector");
  private timer = 0;
  private known?: Selection;
  private key = "";
  private body = make("dl");

  constructor(private app: App) {
    app.on("select", () => this.renew());
    app.on("person", () => this.fillPerson());
    app.on("chart", () => app.selection?.kind === "line" && this.fill());
    app.on("frame", () => app.selection?.kind === "person" && !app.person && this.fillPerson());
  }
  private renew() {
    const s = this.app.selection;
    clearInterval(this.timer);
    this.box.hidden = !s;
    if (!s) return;
    if (s !== this.known) this.box.classList.toggle("left", this.atRight());
    this.known = s;
    this.key = "";
    this.body = make("dl");
    const head = (title: string, ...actions: HTMLElement[]) =>
      this.box.replaceChildren(make("header", {}, make("b", {}, title), make("button", { class: "quiet", "aria-label": "Close", title: "Close (Esc)", onclick: () => this.app.select(undefined) }, "×")), this.body, make("div", { class: "actions" }, ...actions));
    const act = (text: string, title: string, f: () => void) => make("button", { title, onclick: f }, text);
    const { app } = this, live = s.run.scene?.live;
    if (s.kind === "person") {
      head(`Person ${s.id}`, act("Follow", "The picture stays with this person (F)", () => this.follow()),
        ...(live ? [
          act("Push", "Then drag from the person: the arrow is the push", () => app.useTool("push")),
          act("Send", "Then click where to: a goal or any place", () => app.useTool("send")),
          act("Remove", "Takes the person out of the run", () => (app.act(`person ${s.id} removed`, { do: "remove", run: s.run.index, person: s.id }), app.select(undefined))),
        ] : []));
      this.timer = window.setInterval(() => app.playing && app.ask(), 300);
      this.fillPerson();
    } else if (s.kind === "goal") {
      const open = !s.goal.closed;
      head(s.goal.name || "Goal", ...(live ? [act(open ? "Close it" : "Open it", open ? "Whoever heads there chooses another way" : "", () => {
        const name = s.goal.name, run = s.run.index;
        app.change(`${name} ${open ? "closes" : "opens"}`, { do: "door", run, goal: name, open: !open }, [{ do: "door", run, goal: name, open }]);
        s.goal.closed = open;
        app.tell("scene", s.run);
        this.renew();
      })] : []));
      this.fill();
    } else if (s.kind === "thing") {
      head(this.thing()?.name || "Thing");
      this.fill();
    } else {
      head(s.named.name || { obstacle: "Wall", line: "Measuring line", zone: "Zone", area: "Measuring area" }[s.kind]);
      this.fill();
    }
  }
  /** Whether what was clicked is in the right half: the card then stands at the left. */
  private atRight(): boolean {
    const s = this.app.selection!, stage = find("stage");
    const at = s.kind === "person" ? s.run.where(s.run.rowOf(s.id), performance.now()) : s.kind === "goal" ? s.goal.polygon?.[0] ?? s.goal.point : s.kind === "thing" ? undefined : ringOf(s.named)?.[0];
    return !!at && this.app.runs.length === 1 && (at[0] - this.app.camera.x) * this.app.camera.scale > 0.12 * stage.clientWidth;
  }
  private thing() {
    const s = this.app.selection;
    if (s?.kind !== "thing") return undefined;
    return s.run.scene?.things?.[s.run.frame?.things[s.index]?.shape ?? -1];
  }
  follow() {
    const { app } = this;
    if (app.selection?.kind !== "person") return;
    app.follow = !app.follow;
    const at = app.selection.run.where(app.selection.run.rowOf(app.selection.id), performance.now());
    if (app.follow && at) app.camera.go(at[0], at[1], Math.max(app.camera.scale, 35));
  }
  private rows(rows: [string, string][]) {
    const key = JSON.stringify(rows);
    if (key === this.key) return;
    this.key = key;
    this.body.replaceChildren(...rows.flatMap(([k, v]) => [make("dt", {}, k), make("dd", {}, v)]));
  }
  private fillPerson() {
    const { app } = this, s = app.selection, p = app.person;
    if (s?.kind !== "person") return;
    const row = s.run.rowOf(s.id), frame = s.run.frame;
    if (row < 0 || !frame) return this.rows([["", "has left"]]);
    const speed = p?.vx !== undefined ? Math.hypot(p.vx, p.vy ?? 0) : frame.speed[row] * 0.02;
    const rows: [string, string][] = [["speed", `${speed.toFixed(2)}${p?.desired_speed ? ` of ${p.desired_speed.toFixed(2)}` : ""} m/s`]];
    if (p && p.id === s.id) {
      if (p.held_for !== undefined && p.held_for > 0.5) rows.push(["held up", `${p.held_for.toFixed(1)} s`]);
      if (p.goal) rows.push(["goes to", p.goal]);
      if (p.group) rows.push(["group", groupName(p.group)]);
      if (p.model) rows.push(["model", p.model]);
      rows.push(["at", `${p.x.toFixed(2)}, ${p.y.toFixed(2)} m`]);
      if (p.radius) rows.push(["radius", `${p.radius.toFixed(2)} m`]);
      if (p.neighbours) rows.push(["neighbours", String(p.neighbours.length)]);
      for (const [name, value] of Object.entries(p.quantities ?? {})) {
        if (["speed", "velocity", "wish"].includes(name)) continue; // told above
        const unit = s.run.scene?.quantities?.find((q) => q.name === name)?.unit ?? "";
        rows.push([name.replaceAll("_", " "), Array.isArray(value) ? `${figure(Math.hypot(...value))} ${unit}` : `${figure(value)} ${unit}`]);
      }
    } else {
      const group = s.run.scene?.groups?.[frame.group[row]]?.name;
      if (group) rows.push(["group", groupName(group)]);
      rows.push(["radius", `${(frame.radius[row] / 1000).toFixed(2)} m`]);
    }
    this.rows(rows);
  }
  private fill() {
    const s = this.app.selection, rows: [string, string][] = [];
    if (!s || s.kind === "person") return;
    if (s.kind === "goal") {
      rows.push(["kind", s.goal.exit ? "exit: people leave here" : s.goal.kind ?? "goal"], ["state", s.goal.closed ? "closed" : "open"]);
      if (s.goal.polygon) rows.push(["size", sizeOf(s.goal.polygon)]);
    } else if (s.kind === "line") {
      const ring = ringOf(s.named) ?? [], { series } = s.run, last = series.rows.length - 1;
      rows.push(["length", `${lengthOf(ring).toFixed(2)} m`]);
      if (last >= 0) {
        const flow = series.flow(last, s.named.name), width = lengthOf(ring);
        rows.push(["flow", `${figure(flow, 2)} /s`], ["per metre", `${figure(flow === null ? null : flow / width, 2)} /(m s)`]);
        const passed = series.rows[last].passed?.[s.named.name];
        if (passed !== undefined) rows.push(["passed", String(passed)]);
      }
    } else if (s.kind === "thing") {
      const t = s.run.frame?.things[s.index], f = s.run.frame;
      if (t && f) rows.push(["at", `${(t.x / 1000 + f.originX).toFixed(2)}, ${(t.y / 1000 + f.originY).toFixed(2)} m`], ["turned", `${Math.round((t.angle * 180) / Math.PI)}°`]);
      if (this.thing()?.height) rows.push(["height", `${figure(this.thing()!.height!)} m`]);
    } else {
      const ring = ringOf(s.named);
      if (ring) rows.push(["size", sizeOf(ring)]);
      if (s.named.speed_factor !== undefined) rows.push(["speed", `× ${figure(s.named.speed_factor)}`]);
      if (s.kind === "obstacle" && s.run.scene?.live) rows.push(["", "drag it to move it"]);
    }
    this.rows(rows);
  }
}

function sizeOf(ring: Ring): string {
  const xs = ring.map((p) => p[0]), ys = ring.map((p) => p[1]);
  return `${(Math.max(...xs) - Math.min(...xs)).toFixed(1)} × ${(Math.max(...ys) - Math.min(...ys)).toFixed(1)} m`;
}
function lengthOf(chain: Ring): number {
  let sum = 0;
  for (let i = 1; i < chain.length; i++) sum += Math.hypot(chain[i][0] - chain[i - 1][0], chain[i][1] - chain[i - 1][1]);
  return sum;
}
