// compare.ts: two to four runs side by side, with one camera and one clock; what differs stands above each in bold.

import type { App } from "./app";
import { groups } from "./colours";
import { find, make, say } from "./dom";
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
    const seeds = make("label", { class: "choice" }, make("input", { type: "checkbox", value: "seed" }), make("b", {}, "another seed"), make("span", { class: "faint small" }, `the same with seed ${(scene.seed ?? 1) + 1}`));
    dialog.replaceChildren(make("h2", {}, `Compare ${scene.name} with`), make("div", { class: "choices" }, ...boxes, seeds),
      make("form", { method: "dialog", class: "row" },
        make("button", { id: "compare-go", onclick: () => this.start([...dialog.querySelectorAll<HTMLInputElement>("input:checked")].map((i) => i.value)) }, "Side by side"),
        make("button", { onclick: () => this.app.setRuns(1) }, "Only this one"), make("button", { class: "quiet" }, "Cancel")));
    dialog.showModal();
  }
  start(with_: string[]) {
    const { app } = this, scene = app.run.scene!, others = with_.slice(0, 3);
    if (with_.length > 3) say("At most four at once: the first three were taken.");
    app.setRuns(1 + others.length);
    const same = { scene: scene.name, seed: scene.seed };
    app.open({ ...same, model: scene.model }, 0);
    others.forEach((what, k) => app.open(what === "seed" ? { ...same, model: scene.model, seed: (scene.seed ?? 1) + 1 } : { ...same, model: what }, k + 1));
  }
  private titles() {
    const { app } = this, box = find("titles");
    document.body.classList.toggle("comparing", app.runs.length > 1);
    if (app.runs.length === 1) return box.replaceChildren();
    const first = app.run.scene;
    const sameModel = app.runs.every((r) => r.scene?.model === first?.model);
    box.replaceChildren(...app.runs.map((run, k) =>
      make("div", { class: "pane-title", "data-run": String(k) }, make("i", { style: `background:${groups[k % 8]}` }),
        run.scene ? make("b", {}, sameModel ? `seed ${run.scene.seed}` : run.scene.model) : "preparing …")));
    this.place();
    app.tell("status", app.run);
  }
}
