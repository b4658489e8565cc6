// links.ts: a link with all settings in it, for pages without a server: which scenario (its name, or its text packed),
// the model, parameters and seed as they were changed, closed doors and moved walls, models of groups, runs side by side,
// and what is shown. Whoever opens it sees the same.
//
//     #scene=demo/bottleneck&model=pbd&set=model.params.k=2&close=door&2.model=orca&colour=density&show=trails&camera=10,5,40

import type { App } from "./app";
import { say } from "./dom";
import type { Shown } from "./draw";
import type { Under } from "./overlays";
import type { Panel } from "./panel";
import type { Opening } from "./settings";
import { fromBase64 } from "./stream";
import type { Command, Value } from "./types";

async function pipe(bytes: BlobPart, through: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair)).arrayBuffer());
}
async function packText(text: string): Promise<string> {
  const bytes = await pipe(text, new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
async function unpackText(text: string): Promise<string> {
  return new TextDecoder().decode(await pipe(fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")), new DecompressionStream("deflate-raw")));
}

/** Encoded as far as it must be. */
const readable = (text: string) => encodeURIComponent(text).replace(/%(2F|2C|3D|3A|5B|5D)/g, decodeURIComponent);
/** A command as a word of a link: what was done, and to whom, whose name may be anything and so comes last. */
function sayCommand(c: Command): [string, string] {
  if (c.do === "door") return [c.open ? "open" : "close", String(c.goal)];
  if (c.do === "obstacle") return [c.present ? "back" : "without", String(c.obstacle)];
  if (c.do === "move") return ["move", `${(c.by as number[]).map((v) => Number(v.toFixed(3))).join()},${c.obstacle}`];
  if (c.do === "model") return ["group", `${c.name},${c.group}`];
  return ["group", `${c.param}=${c.value},${c.group}`];
}
const valueOf = (text: string): Value => (text === "true" || text === "false" ? text === "true" : text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
function readCommand(key: string, said: string): Command | undefined {
  if (key === "open" || key === "close") return { do: "door", goal: said, open: key === "open" };
  if (key === "back" || key === "without") return { do: "obstacle", obstacle: said, present: key === "back" };
  const move = /^([^,]+),([^,]+),(.*)$/.exec(said), group = /^(?:([^,=]+)=)?([^,]*),(.*)$/.exec(said);
  if (key === "move") return move ? { do: "move", obstacle: move[3], by: [Number(move[1]), Number(move[2])] } : undefined;
  if (!group) return undefined;
  return group[1] ? { do: "set", group: group[3], param: group[1], value: valueOf(group[2]) } : { do: "model", group: group[3], name: group[2] };
}

const byHand = ["open", "close", "back", "without", "move", "group"];
const maps = { density: "density", speed: "speedMap", trails: "trails", arrows: "arrows" } as const;

export class Links {
  private shown?: URLSearchParams; // what a link says of it, until the run is there

  constructor(private app: App, private panel: Panel) {
    app.on("opened", (run) => run.index === 0 && this.show());
    window.addEventListener("hashchange", () => this.open(location.hash));
  }
  /** The link to what is seen, or undefined: nothing is. */
  async make(): Promise<string | undefined> {
    const { app } = this, said: [string, string][] = [], first = app.settings.of(app.run);
    if (!first) return undefined;
    for (const run of app.runs) {
      const opening = run === app.run ? first : app.settings.of(run), before = run.index ? `${run.index + 1}.` : "";
      if (!opening) continue; // a recording
      const { scene, text, seed, set = [], then = [] } = opening, model = run.index ? run.scene!.model : opening.model;
      if (scene && (!before || scene !== first.scene)) said.push([`${before}scene`, scene]);
      if (text && (!before || text !== first.text)) said.push([`${before}text`, await packText(text)]);
      if (model) said.push([`${before}model`, model]);
      if (seed !== undefined) said.push([`${before}seed`, String(seed)]);
      set.forEach((one) => said.push([`${before}set`, one]));
      const done = then.map(sayCommand).sort(([a], [b]) => byHand.indexOf(a) - byHand.indexOf(b));
      for (const [key, value] of done) said.push([before + key, value]);
    }
    said.push(...this.seen());
    return `${location.href.split("#")[0]}#${said.map(([key, value]) => `${key}=${readable(value)}`).join("&")}`;
  }
  /** What is shown, where it is not as usual. */
  private seen(): [string, string][] {
    const { shown, overlays, camera, quantity, speed } = this.app, said: [string, string][] = [];
    const on: string[] = (Object.keys(maps) as (keyof typeof maps)[]).filter((m) => shown[maps[m]]);
    if (overlays.under !== "none") on.push(overlays.under);
    if (overlays.forces) on.push("forces");
    if (shown.by !== "speed") said.push(["colour", quantity ?? shown.by]);
    if (on.length) said.push(["show", on.join()]);
    if (overlays.goal) said.push(["ways", overlays.goal]);
    if (speed !== 1) said.push(["speed", String(speed)]);
    if (!camera.fitted) said.push(["camera", [camera.x.toFixed(2), camera.y.toFixed(2), camera.scale.toFixed(2)].join()]);
    return said;
  }
  /** Shows what a link said when its run is there. */
  private show() {
    const { app, shown: said } = this, scene = app.run.scene!;
    if (!said) return;
    this.shown = undefined;
    const colour = said.get("colour") ?? "speed", on = (said.get("show") ?? "").split(","), known = scene.quantities?.some((q) => q.name === colour);
    const change: Partial<Shown> = {};
    for (const [word, key] of Object.entries(maps)) change[key] = on.includes(word);
    app.show(change);
    if (known || ["group", "speed", "model"].includes(colour)) this.panel.colourBy(known ? `q:${colour}` : colour);
    app.overlays.set({ under: (["spaces", "cells"] as Under[]).find((u) => on.includes(u)) ?? "none", forces: on.includes("forces"), goal: said.get("ways") ?? "" });
    if (Number(said.get("speed")) > 0) app.setSpeed(Number(said.get("speed")));
    const camera = said.get("camera")?.split(",").map(Number);
    if (camera?.length === 3 && camera.every(Number.isFinite)) app.camera.go(camera[0], camera[1], camera[2]);
  }
  async copy() {
    const link = await this.make();
    if (!link) return say("Nothing runs yet.");
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      say("Link copied: it opens this run with these settings.");
    } catch {
      say("The link is in the address line.");
    }
  }
  /** What a link says of one run, whose keys begin with `before`; undefined: nothing. */
  private async opening(said: URLSearchParams, before: string, first?: Opening): Promise<Opening | undefined> {
    const get = (key: string) => said.get(before + key), scene = get("scene"), text = get("text"), seed = get("seed"), what: Opening = {};
    if (scene) what.scene = scene;
    else if (text) what.text = await unpackText(text);
    else if (first && get("model")) (what.scene = first.scene), (what.text = first.text);
    else return undefined;
    if (get("model")) what.model = get("model")!;
    if (seed) what.seed = Number(seed);
    what.set = said.getAll(`${before}set`);
    what.then = byHand.flatMap((key) => said.getAll(before + key).map((one) => readCommand(key, one))).filter((c): c is Command => !!c);
    return what;
  }
  /** Opens what a link says; false: it says nothing. */
  async open(hash: string): Promise<boolean> {
    const { app } = this, said = new URLSearchParams(hash.replace(/^#/, "")), all: Opening[] = [];
    try {
      for (let k = 0; k < 4; k++) {
        const one = await this.opening(said, k ? `${k + 1}.` : "", all[0]);
        if (!one) break;
        all.push(one);
      }
    } catch {
      say("The scenario in this link is damaged.", "fault");
      return false;
    }
    if (!all.length) return false;
    this.shown = said;
    app.setRuns(all.length);
    all.forEach((one, k) => app.open(one, k));
    return true;
  }
}
