// stage.ts: the picture in the middle. Three canvases lie on each other: the ground, the people (WebGL2), and names and
// marks above them. Here is the loop that draws them, only when there is something new, and what the mouse does.

import type { App, Selection } from "./app";
import { Camera, fitScale, type Rect } from "./camera";
import { themes } from "./colours";
import { find, say } from "./dom";
import { densityMap, mapPicture } from "./density";
import { densestShown, mapPart, Painter, paintPlainly } from "./draw";
import { distance, drawGround, drawNames, drawRing, drawScaleBar, drawThings, drawWalls, hasPlace, ringOf, within, type Layer } from "./ground";
import type { Run } from "./run";
import type { Goal, Point, Ring } from "./types";

/** What the editor does with the picture while it is open. */
export interface Guest {
  draw(ink: CanvasRenderingContext2D, pane: Rect): void;
  down(p: Point, event: PointerEvent): boolean;
  move(p: Point, event: PointerEvent): void;
  up(p: Point, event: PointerEvent): void;
  cursor(p: Point): string;
}

export class Stage {
  readonly element = find("stage");
  readonly ground = find<HTMLCanvasElement>("ground");
  readonly people = find<HTMLCanvasElement>("people");
  readonly above = find<HTMLCanvasElement>("above");
  readonly painter?: Painter;
  guest?: Guest;
  width = 1;
  height = 1;
  ratio = 1;
  private dirty = true;
  private groundDirty = true;
  private last = performance.now();
  private hovered?: { run: Run; id: number };
  private drag?: { x: number; y: number; moved: boolean; pane: Rect; run: Run; start: Point; what: "pan" | "tool" | "guest" | "obstacle"; from?: Point };
  private pointer: Point = [0, 0];
  private maps = new Map<Run, { key: string; picture: OffscreenCanvas; box: [number, number, number, number]; made: number }>();
  private celled = new Map<Run, number>();
  private touches = new Map<number, Point>();
  /** Script time of pictures, ms, the last few. */
  costs: number[] = [];
  afterPaint: (() => void)[] = [];

  constructor(private app: App) {
    this.painter = Painter.on(this.people);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.resize();
    this.listen();
    for (const kind of ["scene", "shown", "runs", "select", "tool"] as const) app.on(kind, () => this.redraw(true));
    for (const kind of ["frame", "person"] as const) app.on(kind, () => this.redraw(false));
    app.on("runs", () => this.refit());
    let known = "";
    app.on("scene", (run) => {
      if (run.index !== 0 || !run.scene) return;
      const key = `${run.scene.name} ${run.scene.bounds}`;
      if (key !== known) app.camera.fit(run.scene.bounds, this.pane(0), known !== "" && !this.guest);
      known = key;
    });
    requestAnimationFrame((t) => this.loop(t));
  }

  redraw(ground = true) {
    this.dirty = true;
    this.groundDirty ||= ground;
  }
  refit(smooth = true) {
    const scene = this.app.run.scene;
    if (scene) this.app.camera.fit(scene.bounds, this.pane(0), smooth);
    this.redraw();
  }
  /** The part of the stage that run number `k` has. */
  pane(k: number): Rect {
    const n = this.app.runs.length, gap = 2;
    if (n === 1 || this.guest) return { x: 0, y: 0, w: this.width, h: this.height };
    const b = this.app.run.scene?.bounds ?? [0, 0, 1, 1], rooms = (columns: number): [number, number] => [this.width / columns, this.height / Math.ceil(n / columns)];
    // As many columns as let the place be drawn largest.
    const scale = (columns: number) => fitScale(b, ...rooms(columns)), columns = [1, 2, 3, 4].slice(0, n).reduce((best, k) => (scale(k) > 1.02 * scale(best) ? k : best));
    const rows = Math.ceil(n / columns), w = (this.width - gap * (columns - 1)) / columns, h = (this.height - gap * (rows - 1)) / rows;
    return { x: (k % columns) * (w + gap), y: Math.floor(k / columns) * (h + gap), w, h };
  }
  /** The camera of a run: one for all, moved for a recording of another place, so that the middles of both lie on each other. */
  private seen(run: Run): Camera {
    const { camera } = this.app, a = this.app.run.scene?.bounds, b = run.scene?.bounds;
    if (run.index === 0 || run.scene?.live !== false || !a || !b) return camera;
    const dx = (b[0] + b[2] - a[0] - a[2]) / 2, dy = (b[1] + b[3] - a[1] - a[3]) / 2;
    if (Math.abs(dx) < 0.25 * (a[2] - a[0]) && Math.abs(dy) < 0.25 * (a[3] - a[1])) return camera;
    const moved = Object.assign(new Camera(), camera);
    moved.x += dx;
    moved.y += dy;
    return moved;
  }
  private runAt(x: number, y: number): [Run, Rect] {
    for (let k = 0; k < this.app.runs.length; k++) {
      const p = this.pane(k);
      if (x >= p.x && x <= p.x + p.w && y >= p.y && y <= p.y + p.h) return [this.app.runs[k], p];
    }
    return [this.app.run, this.pane(0)];
  }
  private resize() {
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    this.width = Math.max(1, this.element.clientWidth);
    this.height = Math.max(1, this.element.clientHeight);
    for (const canvas of [this.ground, this.people, this.above]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    if (this.app.camera.fitted) this.refit(false);
    this.redraw();
    this.draw(performance.now());
  }

  private loop(now: number) {
    requestAnimationFrame((t) => this.loop(t));
    const seconds = Math.min(0.1, (now - this.last) / 1000), { app } = this;
    this.last = now;
    if (app.camera.advance(seconds)) this.redraw();
    const s = app.selection;
    if (app.follow && s?.kind === "person") {
      const at = s.run.where(s.run.rowOf(s.id), performance.now());
      if (at) {
        app.camera.centre(...at);
        this.redraw();
      }
    }
    if (this.dirty || app.runs.some((r) => r.n > 0 && r.part(performance.now()) < 1)) this.draw(performance.now());
  }
  private draw(now: number) {
    const began = performance.now(), { app } = this, theme = app.shown.theme;
    const moving = app.runs.some((r) => r.n > 0 && r.part(now) < 1);
    this.dirty = moving;
    const ink = this.above.getContext("2d")!;
    const maps = app.shown.density || app.shown.speedMap || mapPart(app.camera) > 0;
    // Maps follow the people ten times a second.
    if (maps && app.runs.some((r) => r.n && now - (this.maps.get(r)?.made ?? 0) > 100 && !this.maps.get(r)?.key.startsWith(`${r.version} `))) this.groundDirty = true;
    if (app.overlays.under === "cells" && app.runs.some((r) => r.version !== this.celled.get(r))) this.groundDirty = true;
    if (this.groundDirty) this.drawGround();
    this.groundDirty = false;
    this.painter?.clear(this.people.width, this.people.height);
    ink.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ink.clearRect(0, 0, this.width, this.height);
    if (!this.guest) app.runs.forEach((run, k) => {
      const pane = this.pane(k);
      this.painter?.paint(run, this.seen(run), pane, this.ratio, this.height, app.shown, now, app.overlays);
      if (!this.painter) paintPlainly(ink, run, this.seen(run), pane, app.shown, now);
      this.celled.set(run, run.version);
      const frame = run.frame;
      if (frame?.things.length && run.scene?.things) {
        const things = frame.things.map((t) => ({ ...t, x: t.x / 1000 + frame.originX, y: t.y / 1000 + frame.originY }));
        drawThings(ink, run.scene.things, things, this.seen(run), pane, theme);
      }
      if (run.scene && app.overlays.under === "spaces") drawWalls(ink, run.scene, this.seen(run), pane, theme);
      if (run.scene) drawNames(ink, run.scene, this.seen(run), pane, theme);
      this.drawMarks(ink, run, pane, now);
    });
    this.guest?.draw(ink, { x: 0, y: 0, w: this.width, h: this.height });
    drawScaleBar(ink, app.camera, 18, this.height - 20, theme);
    this.costs.push(performance.now() - began);
    if (this.costs.length > 240) this.costs.shift();
    this.afterPaint.forEach((f) => f());
  }
  /** The density or speed map of a run, where it is wanted or people are too small to be seen. */
  private layer(run: Run): Layer | undefined {
    const { shown, camera } = this.app, wanted = shown.density || shown.speedMap, part = mapPart(camera);
    if (!wanted && part <= 0) return undefined;
    const what = shown.speedMap && !shown.density ? "speed" : "density", key = `${run.version} ${what} ${shown.theme} ${shown.fullSpeed}`;
    let known = this.maps.get(run);
    if (known?.key !== key) {
      const map = densityMap(run, what === "speed");
      if (!map) return undefined;
      const picture = mapPicture(map, what, what === "speed" ? shown.fullSpeed : densestShown, shown.theme, known?.picture);
      known = { key, picture, box: [map.x, map.y, map.x + map.columns * map.cell, map.y + map.rows * map.cell], made: performance.now() };
      this.maps.set(run, known);
    }
    return { picture: known.picture, box: known.box, opacity: wanted ? 1 : part };
  }
  private drawGround() {
    const ink = this.ground.getContext("2d")!, { app } = this;
    ink.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ink.fillStyle = themes[app.shown.theme].outside;
    ink.fillRect(0, 0, this.width, this.height);
    if (this.guest) return;
    app.runs.forEach((run, k) => run.scene && drawGround(ink, run.scene, this.seen(run), this.pane(k), app.shown.theme, [this.layer(run), app.overlays.cellLayer(run)].filter((l): l is Layer => !!l), app.overlays.fields.get(k)));
    if (app.runs.length > 1) {
      ink.fillStyle = themes[app.shown.theme].faint;
      ink.globalAlpha = 0.4;
      [0, 1, 2, 3].forEach((k) => {
        const p = this.pane(k);
        if (p.y + 1 >= this.height) return;
        if (p.x > 0) ink.fillRect(p.x - 2, p.y, 2, p.h);
        if (p.y > 0) ink.fillRect(p.x, p.y - 2, p.w, 2);
      });
      ink.globalAlpha = 1;
    }
  }
  /** Who is selected or under the cursor, where that person wants to go, and what the tool in hand will do. */
  private drawMarks(ink: CanvasRenderingContext2D, run: Run, pane: Rect, now: number) {
    const { app } = this, c = themes[app.shown.theme], s = app.selection;
    ink.save();
    ink.beginPath();
    ink.rect(pane.x, pane.y, pane.w, pane.h);
    ink.clip();
    const ring = (id: number, colour: string, extra: number) => {
      const row = run.rowOf(id), at = run.where(row, now);
      if (!at) return;
      const screen = this.seen(run).toScreen(at, pane), radius = Math.max(4, run.radius[row] * app.camera.scale) + extra;
      drawRing(ink, screen, radius, c.floor, 5);
      drawRing(ink, screen, radius, colour, 2.5);
      return at;
    };
    if (this.hovered?.run === run && !this.guest) ring(this.hovered.id, c.faint, 2);
    if (s?.run === run && s.kind === "person") {
      const at = ring(s.id, c.text, 3);
      if (at && app.person?.id === s.id) this.drawPerson(ink, at, pane, run);
    } else if (s?.run === run && (s.kind === "obstacle" || s.kind === "goal" || s.kind === "line" || s.kind === "zone" || s.kind === "area")) {
      const ring = s.kind === "goal" ? s.goal.polygon : ringOf(s.named);
      if (ring) this.outline(ink, ring, this.seen(run), pane, c.accent, s.kind !== "line");
    }
    const d = this.drag;
    if (d?.what === "tool" && d.run === run) {
      const a = this.seen(run).toScreen(d.start, pane);
      ink.strokeStyle = ink.fillStyle = c.accent;
      ink.lineWidth = 2;
      arrow(ink, a, this.pointer);
    }
    ink.restore();
  }
  private outline(ink: CanvasRenderingContext2D, ring: Ring, camera: Camera, pane: Rect, colour: string, close: boolean) {
    ink.beginPath();
    ring.forEach((p, i) => {
      const [x, y] = camera.toScreen(p, pane);
      if (i) ink.lineTo(x, y);
      else ink.moveTo(x, y);
    });
    if (close) ink.closePath();
    ink.strokeStyle = colour;
    ink.lineWidth = 3;
    ink.stroke();
  }
  private drawPerson(ink: CanvasRenderingContext2D, at: Point, pane: Rect, run: Run) {
    const person = this.app.person!, c = themes[this.app.shown.theme], a = this.seen(run).toScreen(at, pane), now = performance.now();
    ink.globalAlpha = 0.35;
    ink.strokeStyle = c.text;
    ink.lineWidth = 1;
    for (const id of (person.neighbours ?? []).slice(0, 24)) {
      const other = run.where(run.rowOf(id), now);
      if (!other) continue;
      ink.beginPath();
      ink.moveTo(...a);
      ink.lineTo(...this.seen(run).toScreen(other, pane));
      ink.stroke();
    }
    ink.globalAlpha = 1;
    const line = (v: Point | undefined, colour: string, dash: number[]) => {
      if (!v || Math.hypot(...v) < 0.02) return;
      ink.strokeStyle = ink.fillStyle = colour;
      ink.lineWidth = 2;
      ink.setLineDash(dash);
      arrow(ink, a, this.seen(run).toScreen([at[0] + v[0], at[1] + v[1]], pane));
      ink.setLineDash([]);
    };
    line(person.wish, c.goal, [4, 3]);
    line(person.vx !== undefined ? [person.vx, person.vy ?? 0] : undefined, c.accent, []);
  }

  // ---- the mouse

  private listen() {
    const e = this.element;
    e.addEventListener("pointerdown", (event) => this.down(event));
    e.addEventListener("pointermove", (event) => this.move(event));
    e.addEventListener("pointerup", (event) => this.up(event));
    e.addEventListener("pointercancel", () => (this.drag = undefined));
    e.addEventListener("pointerleave", () => this.hover(undefined));
    e.addEventListener("contextmenu", (event) => event.target === this.above && event.preventDefault());
    e.addEventListener(
      "wheel",
      (event) => {
        if ((event.target as HTMLElement).closest("#inspector,#legend")) return;
        event.preventDefault();
        const [x, y] = this.local(event), [, pane] = this.runAt(x, y);
        this.app.camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : event.ctrlKey ? 0.01 : 0.0016)), x, y, pane);
        this.redraw();
      },
      { passive: false },
    );
  }
  private local(event: MouseEvent): Point {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  private down(event: PointerEvent) {
    if (event.target !== this.above) return;
    const [x, y] = this.local(event), [run, pane] = this.runAt(x, y), { app } = this, start = this.seen(run).toPlace(x, y, pane);
    this.pointer = [x, y];
    this.touches.set(event.pointerId, [x, y]);
    this.above.setPointerCapture(event.pointerId);
    this.element.focus({ preventScroll: true });
    let what: "pan" | "tool" | "guest" | "obstacle" = "pan", from: Point | undefined;
    const s = app.selection;
    if (this.guest && event.button === 0 && !event.shiftKey && this.guest.down(start, event)) what = "guest";
    else if (app.tool !== "look" && event.button === 0) what = "tool";
    else if (s?.kind === "obstacle" && s.run === run && event.button === 0 && this.onObstacle(s.named, start)) (what = "obstacle"), (from = start);
    this.drag = { x, y, moved: false, pane, run, start: app.tool === "push" ? this.pushFrom() ?? start : start, what, from };
    this.redraw(false);
  }
  private onObstacle(named: Selection extends never ? never : { name: string }, p: Point): boolean {
    const ring = ringOf(named);
    return !!ring && (ring.length > 2 ? within(ring, p) : distance(ring, p, false) < 8 / this.app.camera.scale);
  }
  private pushFrom(): Point | undefined {
    const s = this.app.selection;
    return s?.kind === "person" ? s.run.where(s.run.rowOf(s.id), performance.now()) : undefined;
  }
  private move(event: PointerEvent) {
    const [x, y] = this.local(event), d = this.drag, { app } = this;
    const before = this.pointer;
    this.pointer = [x, y];
    if (this.touches.size === 2 && this.touches.has(event.pointerId)) return this.pinch(event.pointerId, [x, y]);
    if (!d) {
      if (this.guest) {
        this.guest.move(app.camera.toPlace(x, y, this.pane(0)), event);
        this.element.style.cursor = this.guest.cursor(app.camera.toPlace(x, y, this.pane(0)));
        return this.redraw(false);
      }
      if (event.target === this.above) this.hoverAt(x, y);
      return;
    }
    if (Math.hypot(x - d.x, y - d.y) > 4) d.moved = true;
    const p = this.seen(d.run).toPlace(x, y, d.pane);
    if (d.what === "guest") this.guest!.move(p, event);
    else if (d.what === "pan" && d.moved) {
      app.follow = false;
      app.camera.pan(x - before[0], y - before[1]);
    } else if (d.what === "obstacle" && d.moved && app.selection?.kind === "obstacle") this.shift(app.selection.named, p, d);
    this.redraw(d.what !== "tool");
  }
  /** Moves the obstacle in hand on the picture; the server hears of it when it is let go. */
  private shift(named: { name: string }, p: Point, d: NonNullable<Stage["drag"]>) {
    const ring = ringOf(named), from = d.from ?? p;
    ring?.forEach((q) => ((q[0] += p[0] - from[0]), (q[1] += p[1] - from[1])));
    d.from = p;
  }
  private pinch(id: number, now: Point) {
    const other = [...this.touches.entries()].find(([k]) => k !== id)![1], before = this.touches.get(id)!;
    const factor = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
    const [, pane] = this.runAt(...now);
    this.app.camera.zoom(factor, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2, pane);
    this.app.camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.touches.set(id, now);
    this.drag = undefined;
    this.redraw();
  }
  private up(event: PointerEvent) {
    const d = this.drag, { app } = this, [x, y] = this.local(event);
    this.touches.delete(event.pointerId);
    this.drag = undefined;
    if (!d) return;
    const p = this.seen(d.run).toPlace(x, y, d.pane);
    if (d.what === "guest") this.guest!.up(p, event);
    else if (d.what === "tool") this.useTool(d.run, d.start, p, d.moved);
    else if (d.what === "obstacle" && d.moved && app.selection?.kind === "obstacle") {
      const name = app.selection.named.name, by: Point = [p[0] - d.start[0], p[1] - d.start[1]];
      app.change(`moved ${name}`, { do: "move", run: d.run.index, obstacle: name, by }, [{ do: "move", run: d.run.index, obstacle: name, by: [-by[0], -by[1]] }]);
    } else if (!d.moved && event.button === 0 && !this.guest) app.select(this.pick(d.run, p));
    this.redraw();
  }
  private useTool(run: Run, a: Point, b: Point, dragged: boolean) {
    const { app } = this, s = app.selection, pull: Point = [b[0] - a[0], b[1] - a[1]];
    if (app.tool === "ball" || app.tool === "box") {
      const v: Point = dragged ? [pull[0] * 2, pull[1] * 2] : [0, 0];
      app.act(`${app.tool} thrown`, { do: "throw", run: run.index, kind: app.tool, at: a, velocity: v });
    } else if (app.tool === "crowd") {
      const goal = run.scene?.goals?.find((g) => g.exit && !g.closed)?.name ?? run.scene?.goals?.[0]?.name;
      app.act("20 people dropped", { do: "drop", run: run.index, count: 20, at: b, goal });
    } else if (s?.kind === "person" && app.tool === "push") {
      app.act(`person ${s.id} pushed`, { do: "push", run: run.index, person: s.id, impulse: [pull[0] * 80, pull[1] * 80] });
      app.useTool("look");
    } else if (s?.kind === "person" && app.tool === "send") {
      const goal = run.scene?.goals?.find((g) => g.polygon && within(g.polygon, b));
      app.act(`person ${s.id} sent`, goal ? { do: "send", run: run.index, person: s.id, goal: goal.name } : { do: "send", run: run.index, person: s.id, to: b });
      say(goal ? `Sent to ${goal.name}.` : `Sent to ${b[0].toFixed(1)}, ${b[1].toFixed(1)}.`);
      app.useTool("look");
    }
  }
  /** What is at a place: a person first, then things, lines, obstacles, goals, zones. */
  pick(run: Run, p: Point): Selection | undefined {
    const reach = 7 / this.app.camera.scale, scene = run.scene, row = run.nearest(p[0], p[1], reach, performance.now());
    if (row >= 0) return { kind: "person", run, id: run.frame!.ids[row] };
    if (!scene) return undefined;
    const frame = run.frame, index = (frame?.things ?? []).findIndex((t) => {
      const r = Math.max(reach, size(scene.things?.[t.shape]?.parts ?? []));
      return Math.hypot(t.x / 1000 + frame!.originX - p[0], t.y / 1000 + frame!.originY - p[1]) < r;
    });
    if (index >= 0) return { kind: "thing", run, index };
    const line = scene.lines?.find((l) => distance(ringOf(l) ?? [], p, false) < reach);
    if (line) return { kind: "line", run, named: line };
    const obstacle = scene.obstacles?.find((o) => !o.gone && this.onObstacle(o, p));
    if (obstacle) return { kind: "obstacle", run, named: obstacle };
    const goal = scene.goals?.find((g: Goal) => (g.polygon ? within(g.polygon, p) : hasPlace(g) && g.point && Math.hypot(g.point[0] - p[0], g.point[1] - p[1]) < Math.max(reach, g.radius ?? 0.5)));
    if (goal) return { kind: "goal", run, goal };
    const zone = scene.zones?.find((z) => within(ringOf(z) ?? [], p));
    if (zone) return { kind: "zone", run, named: zone };
    const area = scene.areas?.find((z) => within(ringOf(z) ?? [], p));
    return area ? { kind: "area", run, named: area } : undefined;
  }
  private hoverAt(x: number, y: number) {
    const [run, pane] = this.runAt(x, y), p = this.seen(run).toPlace(x, y, pane);
    if (this.app.tool !== "look") return void (this.element.style.cursor = "crosshair");
    const row = run.n <= 30_000 ? run.nearest(p[0], p[1], 3 / this.app.camera.scale, performance.now()) : -1;
    this.hover(row >= 0 ? { run, id: run.frame!.ids[row] } : undefined);
    this.element.style.cursor = row >= 0 || this.pick(run, p) ? "pointer" : "grab";
  }
  private hover(what: { run: Run; id: number } | undefined) {
    if (what?.id === this.hovered?.id && what?.run === this.hovered?.run) return;
    this.hovered = what;
    this.redraw(false);
  }
}

function size(parts: { disc?: [number, number, number]; ring?: Ring }[]): number {
  return Math.max(0, ...parts.map((p) => (p.disc ? Math.hypot(p.disc[0], p.disc[1]) + p.disc[2] : Math.max(...(p.ring ?? []).map((q) => Math.hypot(...q))))));
}
function arrow(ink: CanvasRenderingContext2D, a: Point, b: Point) {
  const l = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (l < 2) return;
  const c = (b[0] - a[0]) / l, s = (b[1] - a[1]) / l, head = Math.min(9, 0.5 * l);
  ink.beginPath();
  ink.moveTo(...a);
  ink.lineTo(b[0] - c * head, b[1] - s * head);
  ink.stroke();
  ink.setLineDash([]);
  ink.beginPath();
  ink.moveTo(...b);
  ink.lineTo(b[0] - head * (c + 0.5 * s), b[1] - head * (s - 0.5 * c));
  ink.lineTo(b[0] - head * (c - 0.5 * s), b[1] - head * (s + 0.5 * c));
  ink.fill();
}
