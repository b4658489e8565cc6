// settings.ts: what opens a run again as it is now: which scenario, its model, parameters and seed as they were changed,
// and what was done by hand that lasts (doors, walls, models of groups). Links and comparisons are made of it.

import type { App } from "./app";
import type { Run } from "./run";
import type { Command, Model, Parameter, Scene, Values } from "./types";

/** What the command `open` takes, and commands that follow it. */
export interface Opening {
  scene?: string;
  text?: string;
  name?: string;
  file?: string;
  model?: string;
  seed?: number;
  set?: string[];
  then?: Command[];
}

/** A run as it was opened, before anything was changed by hand. */
interface Before {
  opened: Opening;
  model: string;
  seed?: number;
  values: Values;
}

const valuesOf = (scene: Scene): Values => ({ ...scene.settings?.params, ...scene.settings?.habits });
const tablesOf = (model: Model | undefined): Parameter[] => [...(model?.parameters ?? []), ...(model?.habits ?? [])];
const paramOf = (set: string) => /^model\.params\.([^=]+)=/.exec(set)?.[1];

/** A parameter that takes this value, as text. */
function takes(p: Parameter | undefined, value: string): boolean {
  if (!p) return false;
  if (p.kind === "choice") return p.words.includes(value);
  if (p.kind === "bool") return value === "true" || value === "false";
  const v = Number(value);
  return Number.isFinite(v) && (p.low === null || v >= p.low) && (p.high === null || v <= p.high);
}

export class Settings {
  private before = new Map<Run, Before>();

  constructor(private app: App) {
    app.on("opened", (run) => {
      const { scene } = run;
      this.before.set(run, { opened: app.opened[run.index] ?? {}, model: scene!.model, seed: scene!.seed, values: valuesOf(scene!) });
    });
  }
  /** What was changed by hand for everybody, as overrides of the scenario. */
  private changes(scene: Scene, before: Before): string[] {
    const model = this.app.models.find((m) => m.name === scene.model), other = scene.model !== before.model;
    const standard = (p: Parameter) => (other ? p.default : before.values[p.name]), values = valuesOf(scene);
    return tablesOf(model).filter((p) => values[p.name] !== undefined && values[p.name] !== standard(p)).map((p) => `model.params.${p.name}=${values[p.name]}`);
  }
  /** What opens a run as it is; undefined: nothing runs there, or a recording. */
  of(run: Run): Opening | undefined {
    const { app } = this, { scene } = run, before = this.before.get(run);
    if (!scene?.live || !before) return undefined;
    const { opened } = before, other = scene.model !== before.model, set = new Map<string, string>(), made: Opening = {};
    if (opened.scene) made.scene = opened.scene;
    else if (opened.text) (made.text = opened.text), (made.name = opened.name);
    else if (opened.file ?? app.files[run.index]) made.file = opened.file ?? app.files[run.index];
    else made.scene = scene.name;
    if (other || opened.model) made.model = scene.model;
    if (opened.seed !== undefined || scene.seed !== before.seed) made.seed = scene.seed;
    const asked = (opened.set ?? []).filter((s) => !other || !s.startsWith("model."));
    for (const one of [...asked, ...this.changes(scene, before)]) set.set(one.split("=")[0], one);
    if (set.size) made.set = [...set.values()];
    const then = [...(app.hand[run.index]?.values() ?? [])];
    if (then.length) made.then = then;
    return made;
  }
  /** The same with another model, without what that one has no parameter for; and what was left out. */
  with(opening: Opening, name: string): [Opening, string[]] {
    const { app } = this, table = new Map(tablesOf(app.models.find((m) => m.name === name)).map((p) => [p.name, p])), left: string[] = [];
    const fits = (param: string, value: string) => takes(table.get(param), value) || (left.push(param), false);
    const set = (opening.set ?? []).filter((s) => !paramOf(s) || fits(paramOf(s)!, s.slice(s.indexOf("=") + 1)));
    const then = (opening.then ?? []).filter((c) => c.do !== "model" && (c.do !== "set" || c.param === "desired_speed" || fits(String(c.param), String(c.value))));
    return [{ ...opening, model: name, set, then }, [...new Set(left)]];
  }
}
