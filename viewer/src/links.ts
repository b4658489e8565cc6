// links.ts: a link with all settings in it, for pages without a server: which scenario (its name, or its text packed),
// the model, parameters and seed as they were changed, and where the camera is. Whoever opens it sees the same run.
//
//     #scene=demo/bottleneck&model=pbd&seed=3&set=model.params.k=2&camera=10,5,40

import type { App } from "./app";
import { say } from "./dom";
import { fromBase64 } from "./stream";
import type { Parameter, Scene, Values } from "./types";

/** Settings of the first run as it was opened, before anything was changed by hand. */
type Before = { model: string; seed?: number; values: Values };

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
const valuesOf = (scene: Scene): Values => ({ ...scene.settings?.params, ...scene.settings?.habits });

export class Links {
  private before?: Before;
  private from?: Record<string, unknown>; // the opening that `before` is of
  private camera?: number[];

  constructor(private app: App) {
    app.on("scene", (run) => run.index === 0 && this.look(run.scene!));
    window.addEventListener("hashchange", () => this.open(location.hash));
  }
  /** Remembers what the settings were when a run was opened; the camera goes where a link said. */
  private look(scene: Scene) {
    const { app } = this;
    if (this.from === app.opened) return;
    this.from = app.opened;
    this.before = { model: scene.model, seed: scene.seed, values: valuesOf(scene) };
    if (!this.camera) return;
    const [x, y, scale] = this.camera;
    this.camera = undefined;
    app.camera.go(x, y, scale);
  }
  /** What was changed by hand, as overrides of the scenario. */
  private changes(scene: Scene): string[] {
    const model = this.app.models.find((m) => m.name === scene.model), other = scene.model !== this.before?.model;
    const standard = (p: Parameter) => (other ? p.default : this.before?.values[p.name]);
    const values = valuesOf(scene), tables = [...(model?.parameters ?? []), ...(model?.habits ?? [])];
    return tables.filter((p) => values[p.name] !== undefined && values[p.name] !== standard(p)).map((p) => `model.params.${p.name}=${values[p.name]}`);
  }
  /** The link to what is seen, or undefined: nothing is. */
  async make(): Promise<string | undefined> {
    const { app } = this, { scene } = app.run, { opened, camera } = app, said: [string, string][] = [];
    if (!scene || !this.before) return undefined;
    if (opened.scene) said.push(["scene", String(opened.scene)]);
    else if (opened.text) said.push(["text", await packText(String(opened.text))]);
    const other = scene.model !== this.before.model, set = new Map<string, string>();
    if (other || opened.model) said.push(["model", scene.model]);
    if (opened.seed !== undefined || scene.seed !== this.before.seed) said.push(["seed", String(scene.seed)]);
    const asked = ((opened.set as string[] | undefined) ?? []).filter((s) => !other || !s.startsWith("model."));
    for (const one of [...asked, ...this.changes(scene)]) set.set(one.split("=")[0], one);
    set.forEach((one) => said.push(["set", one]));
    if (!camera.fitted) said.push(["camera", [camera.x.toFixed(2), camera.y.toFixed(2), camera.scale.toFixed(2)].join()]);
    return `${location.href.split("#")[0]}#${said.map(([key, value]) => `${key}=${readable(value)}`).join("&")}`;
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
  /** Opens what a link says; false: it says nothing. */
  async open(hash: string): Promise<boolean> {
    const said = new URLSearchParams(hash.replace(/^#/, "")), packed = said.get("text"), scene = said.get("scene");
    const what: Record<string, unknown> = {};
    if (scene) what.scene = scene;
    else if (packed) {
      try {
        what.text = await unpackText(packed);
      } catch {
        say("The scenario in this link is damaged.", "fault");
        return false;
      }
    } else return false;
    if (said.has("model")) what.model = said.get("model");
    if (said.has("seed")) what.seed = Number(said.get("seed"));
    if (said.has("set")) what.set = said.getAll("set");
    const camera = said.get("camera")?.split(",").map(Number);
    this.camera = camera?.length === 3 && camera.every(Number.isFinite) ? camera : undefined;
    this.app.open(what);
    return true;
  }
}
