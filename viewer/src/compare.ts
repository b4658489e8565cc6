// compare.ts: two to four runs side by side, with one camera and one clock; what differs stands above each in bold.

import type { App } from "./app";
import { groups } from "./colours";
import { find, make, say } from "./dom";
import type { Run } from "./run";
import type { Opening } from "./settings";
import type { Stage } from "./stage";

export class Compare {
  constructor(private app: App, private stage: Stage) {
    for (const kind of ["runs", "scene"] as const) app.on(kind, () => this.titles());
    stage.afterPaint.push(() => this.place());
  }
  /** Each title stands in the corner of its run. */
  private place() {
    if (this.app.runs.length === 1) return;
    for (const title of find("titles").children as unknown as HTMLElement[]) {
      const pane = this.stage.pane(Number(title.dataset.run)), at = `translate(${pane.x}px, ${pane.y}px)`;
      if (title.style.transform !== at) title.style.transform = at;
    }
  }
  /** Asks what to compare with. */
  ask() {
    const { app } = this, scene = app.run.scene;
    if (!scene) return say("Open a scene first.");
    if (!app.link.live) return say("A file from `throng export` has one run only.");
    const dialog = find<HTMLDialogElement>("dialog"), chosen = app.runs.slice(1).map((r) => r.scene?.model);
    const boxes = app.models.filter((m) => m.name !== scene.model).map((m) =>
      make("label", { class: "choice" }, make("input", { type: "checkbox", value: m.name, checked: chosen.includes(m.name) }), make("b", {}, m.name), make("span", { class: "faint small" }, m.title)));
    const seeds = [1, 2, 3].map((k) => make("label", { class: "choice" }, make("input", { type: "checkbox", value: `seed ${(scene.seed ?? 1) + k}` }), make("b", {}, `seed ${(scene.seed ?? 1) + k}`), make("span", { class: "faint small" }, k === 1 ? "the same with other random numbers" : "")));
    const file = make("input", { type: "file", id: "compare-file", multiple: true, accept: ".sqlite,.txt,.h5,.throng,.csv,.ndjson,.xml,.html", "aria-label": "Recordings" });
    dialog.replaceChildren(make("h2", {}, `Compare ${scene.name} with`), make("div", { class: "choices" }, ...(scene.live ? [...boxes, ...seeds] : []),
      make("label", { class: "choice" }, make("span", {}), make("b", {}, "recordings"), make("span", { class: "faint small" }, "of Throng, of other programs or of real people: .sqlite .txt .h5 .throng .csv", file))),
      make("form", { method: "dialog", class: "row" },
        make("button", { id: "compare-go", class: "main", onclick: () => this.start([...dialog.querySelectorAll<HTMLInputElement>("input[type=checkbox]:checked")].map((i) => i.value), [...(file.files ?? [])]) }, "Side by side"),
        make("button", { onclick: () => this.app.setRuns(1) }, "Only this one"), make("button", { class: "quiet" }, "Cancel")));
    dialog.showModal();
  }
  async start(with_: string[], files: File[] = []) {
    const { app } = this, scene = app.run.scene!, others = with_.slice(0, 3), recordings = files.slice(0, 3 - others.length);
    if (with_.length + files.length > 3) say("At most four at once: the first three were taken.");
    const same = { model: scene.model, seed: scene.seed, ...app.settings.of(app.run) };
    app.setRuns(1 + others.length + recordings.length);
    if (scene.live) app.open(same, 0);
    else app.send({ do: "restart" });
    others.forEach((what, k) => this.beside(same, what, k + 1));
    for (const [k, file] of recordings.entries()) {
      const answer = await app.link.request("open", { name: file.name, run: String(1 + others.length + k) }, file).catch(() => undefined), said = (await answer?.text()) ?? "it could not be sent";
      if (!said.includes('"run"')) say(`${file.name}: it is no recording. ${said.startsWith("{") ? "" : said}`, "fault");
    }
  }
  /** The same run with another seed or model; what was set by hand and the other model has no parameter for is told. */
  private beside(same: Opening, what: string, run: number) {
    if (what.startsWith("seed ")) return this.app.open({ ...same, seed: Number(what.slice(5)) }, run);
    const [opening, left] = this.app.settings.with(same, what);
    this.app.open(opening, run);
    if (left.length) say(`${what} has no ${left.map((p) => p.replaceAll("_", " ")).join(", ")}: left out there.`);
  }
  private titles() {
    const { app } = this, box = find("titles");
    document.body.classList.toggle("comparing", app.runs.length > 1);
    if (app.runs.length === 1) return box.replaceChildren();
    const live = app.runs.filter((r) => r.scene?.live), sameModel = live.length > 1 && live.every((r) => r.scene?.model === live[0].scene?.model);
    const title = (r: Run) => (!r.scene?.live ? r.scene!.name : sameModel ? `seed ${r.scene.seed}` : r.scene.model);
    box.replaceChildren(...app.runs.map((run, k) =>
      make("div", { class: "pane-title", "data-run": String(k) }, make("i", { style: `background:${groups[k % 8]}` }),
        run.scene ? make("b", {}, title(run)) : "preparing …", run.scene?.live === false ? make("span", { class: "faint small" }, "recording") : "")));
    this.place();
    app.tell("status", app.run);
  }
}
