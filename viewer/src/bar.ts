// bar.ts: the line at the top (what runs, how many, how fast, the clock, play) and the rail at the left.

import type { App } from "./app";
import { clock, figure, find, icon, make, whole } from "./dom";

export interface Doors {
  gallery(): void;
  draw(): void;
  compare(): void;
  picture(): void;
  film(): void;
  link(): void;
  theme(): void;
  help(): void;
  fit(): void;
  panel(): void;
}

export class Bar {
  private title = make("span", { class: "title" });
  private state = make("span", { id: "state", class: "state", role: "status" });
  private stats = make("span", { id: "stats", class: "stats" });
  private clock = make("span", { id: "clock", class: "clock" });
  private play = make("button", { id: "play", class: "icon", onclick: () => this.app.toggle() });
  private speed = make("button", { id: "speed", class: "speed", title: "Speed (+ and −)", onclick: () => this.app.setSpeed(this.app.speed >= 5 ? 0.5 : this.app.speed * 2), oncontextmenu: (e: Event) => (e.preventDefault(), this.app.faster(-1)) });
  private undo = make("button", { class: "undo", title: "Undo what was changed by hand (Ctrl+Z)", onclick: () => this.app.undo(), hidden: true }, icon("undo"), "Undo");
  private shownState = "";

  constructor(private app: App, doors: Doors) {
    const button = (name: string, text: string, key: string, act: () => void) =>
      make("button", { class: "door", title: `${text} (${key})`, onclick: act, id: `door-${name}` }, icon(name), make("span", {}, text));
    find("rail").append(
      button("gallery", "Gallery", "G", doors.gallery), button("draw", "Draw", "E", doors.draw), button("compare", "Compare", "C", doors.compare),
      make("hr"),
      button("ball", "Throw", "B", () => app.useTool(app.tool === "ball" ? "look" : "ball")), button("crowd", "Drop", "N", () => app.useTool(app.tool === "crowd" ? "look" : "crowd")),
      make("hr"),
      button("fit", "Fit", "0", doors.fit), button("picture", "Picture", "S", doors.picture), button("film", "Film", "R", doors.film),
      button("link", "Link", "Y", doors.link),
      make("span", { class: "grow" }),
      button("theme", "Theme", "L", doors.theme), button("panel", "Panel", "]", doors.panel), button("help", "Keys", "?", doors.help));
    const step = make("button", { class: "icon", title: "One step (→)", id: "step", onclick: () => app.send({ do: "step", by: 1 }) }, icon("step"));
    const restart = make("button", { class: "icon", title: "From the start (Home)", id: "restart", onclick: () => app.restart() }, icon("restart"));
    const seed = make("button", { class: "icon", title: "Another seed (X)", id: "seed", onclick: () => this.anotherSeed() }, icon("dice"));
    find("top").append(this.title, this.state, make("span", { class: "grow" }), this.undo, this.stats, make("span", { class: "grow" }), this.clock, restart, step, seed, this.play, this.speed);
    for (const kind of ["scene", "status", "link", "runs"] as const) app.on(kind, () => this.renew());
    app.on("undo", () => (this.undo.hidden = !app.canUndo));
    app.on("tool", () => {
      find("door-ball").classList.toggle("on", app.tool === "ball" || app.tool === "box");
      find("door-crowd").classList.toggle("on", app.tool === "crowd");
    });
    this.renew();
  }
  anotherSeed() {
    const seed = (this.app.run.scene?.seed ?? 1) + 1;
    this.app.runs.forEach((r) => r.series.clear());
    this.app.marks = [];
    this.app.send({ do: "seed", value: seed });
  }
  /** What is said when it is not simply running. */
  private stateText(): [string, string] {
    const { app } = this, status = app.run.status;
    if (app.linkState === "connecting") return ["connecting …", "wait"];
    if (app.linkState === "lost") return ["lost the server, trying again …", "bad"];
    if (!status) return ["", ""];
    if (status.state === "preparing") return [`preparing${status.progress ? ` ${Math.round(100 * status.progress)} %` : " …"}`, "wait"];
    if (status.state === "failed") return [status.message ?? "the run failed", "bad"];
    if (status.state === "ended") return ["ended", "wait"];
    if (status.state === "paused") return ["paused", "wait"];
    const factor = status.factor;
    if (app.run.scene?.live && factor !== undefined && factor > 0 && factor < 0.85 * app.speed) return [`${figure(factor, 2)}× of real time: as fast as it goes`, "slow"];
    return ["", ""];
  }
  private renew() {
    const { app } = this, { scene, status } = app.run, [text, kind] = this.stateText();
    if (app.drawing !== undefined) this.title.replaceChildren(make("b", {}, app.drawing), make("span", { class: "faint" }, " · drawing"));
    else if (scene) {
      this.title.replaceChildren(make("b", {}, scene.name), scene.model ? make("span", { class: "faint" }, ` · ${app.runs.length > 1 ? `${app.runs.length} runs` : scene.model}`) : "");
      this.title.title = scene.description ?? "";
      document.title = `${scene.name} · Throng`;
    } else this.title.replaceChildren(make("b", {}, "Throng"));
    this.state.textContent = text;
    this.veil(status?.state === "preparing" || (app.linkState === "connecting" && !scene), text);
    this.state.className = `state ${kind}`;
    this.state.title = status?.digest ? `digest ${status.digest}: the same as of throng run --stats at this moment` : "";
    const parts = [];
    if (status?.inside !== undefined) parts.push(`${whole(status.inside)} inside`);
    const row = app.run.series.rowAt(app.run.time(performance.now())), left = status?.left ?? app.run.series.rows[row]?.left;
    if (left !== undefined) parts.push(`${whole(left)} left`);
    document.body.classList.toggle("replay", scene?.live === false);
    if (row > 2) parts.push(`${figure(app.run.series.flow(row), 2)} /s`);
    this.stats.textContent = parts.join(" · ");
    const now = app.playing ? "pause" : "play";
    if (this.shownState !== now) {
      this.play.replaceChildren(icon(now));
      this.play.title = now === "play" ? "Play (space)" : "Pause (space)";
      this.play.setAttribute("aria-label", now);
      this.shownState = now;
    }
    this.speed.textContent = `${figure(app.speed, 2)}×`;
    find("seed").hidden = !scene?.live;
    this.tick();
  }
  private veilTimer = 0;
  /** What is prepared for more than a moment is said in the middle, over what was there before. */
  private veil(on: boolean, text: string) {
    const cover = find("cover");
    if (!on) {
      clearTimeout(this.veilTimer);
      this.veilTimer = 0;
      if (cover.dataset.veil) (cover.hidden = true), delete cover.dataset.veil;
    } else if (cover.dataset.veil) cover.textContent = this.veilText(text);
    else if (!this.veilTimer && cover.hidden)
      this.veilTimer = window.setTimeout(() => {
        cover.dataset.veil = "yes";
        cover.hidden = false;
        cover.textContent = this.veilText(text);
      }, 500);
  }
  private veilText(text: string): string {
    return this.app.linkState === "connecting" ? "Connecting …" : text.replace("preparing", `Preparing ${this.app.opening || "the scene"}`);
  }
  tick() {
    this.clock.textContent = clock(this.app.run.time(performance.now()));
  }
}
