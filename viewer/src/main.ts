// main.ts: puts the page together.

import { Alone, findModule } from "./alone";
import { App } from "./app";
import { Bar } from "./bar";
import { Charts } from "./charts";
import type { Theme } from "./colours";
import { Compare } from "./compare";
import { find, memory, say } from "./dom";
import { Editor } from "./editor";
import { firstMinute, Gallery } from "./gallery";
import { Inspector } from "./inspector";
import { Keys } from "./keys";
import { Links } from "./links";
import { Panel } from "./panel";
import type { Opening } from "./settings";
import { film, savePicture } from "./share";
import { Stage } from "./stage";
import { Enclosed, openEnclosure, Server } from "./stream";
import { TimeLine } from "./timeline";
import type { Card, Model } from "./types";

const app = new App();

function useTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  memory.set("theme", theme);
  app.show({ theme });
}
const wanted = memory.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
app.shown.theme = wanted === "dark" ? "dark" : "light";
document.documentElement.dataset.theme = app.shown.theme;

const stage = new Stage(app);
const panel = new Panel(app), gallery = new Gallery(app), inspector = new Inspector(app);
new TimeLine(app);
new Charts(app, panel.charts);
const compare = new Compare(app, stage), editor = new Editor(app, stage), links = new Links(app, panel);

function fold(which: "panel" | "rail") {
  const folded = document.body.classList.toggle(`no-${which}`);
  memory.set(`no-${which}`, folded ? "yes" : "no");
}
const narrow = matchMedia("(max-width: 900px)").matches;
if (memory.get("no-panel") === "yes" || (narrow && memory.get("no-panel") === null)) document.body.classList.add("no-panel");
if (memory.get("no-rail") === "yes") document.body.classList.add("no-rail");

const doors = {
  gallery: () => (gallery.open ? gallery.close() : gallery.show()),
  draw: () => (editor.open ? editor.close() : editor.show()),
  compare: () => compare.ask(),
  picture: () => savePicture(stage, app),
  link: () => links.copy(),
  film: () => film(stage, app, (on) => find("door-film").classList.toggle("on", on)),
  theme: () => useTheme(app.shown.theme === "dark" ? "light" : "dark"),
  help: () => keys.help(),
  fit: () => ((app.follow = false), stage.refit()),
  panel: () => fold("panel"),
};
const bar = new Bar(app, doors);
stage.afterPaint.push(() => bar.tick());

function escape() {
  if (gallery.open) return gallery.close();
  if (editor.open && editor.escape()) return;
  if (app.tool !== "look") return app.useTool("look");
  if (app.selection) return app.select(undefined);
  if (editor.open) editor.close();
}
const step = (by: number) => {
  app.send({ do: "pause" });
  app.send({ do: "step", by });
};
const keys = new Keys([
  { keys: [" "], text: "play, pause", act: () => app.toggle() },
  { keys: ["ArrowRight"], text: "one step on", act: () => step(1) },
  { keys: ["ArrowLeft"], text: "one step back, in recordings", act: () => step(-1) },
  { keys: ["Home"], text: "from the start", act: () => app.restart() },
  { keys: ["+", "="], text: "faster, up to 20×", act: () => app.faster(1) },
  { keys: ["-"], text: "slower, down to 0.1×", act: () => app.faster(-1) },
  { keys: ["1"], text: "as fast as real time", act: () => app.setSpeed(1) },
  { keys: ["x"], text: "another seed", act: () => bar.anotherSeed() },
  { keys: ["0"], text: "fit the whole place", act: doors.fit },
  { keys: ["f"], text: "follow who is selected", act: () => inspector.follow() },
  { keys: ["m"], text: "next model", act: () => panel.nextModel() },
  { keys: ["k"], text: "next colours: group, speed, model", act: () => panel.colourBy({ group: "speed", speed: "model", model: "group", value: "group" }[app.shown.by]) },
  { keys: ["d"], text: "density map", act: () => app.show({ density: !app.shown.density }) },
  { keys: ["o"], text: "speed map", act: () => app.show({ speedMap: !app.shown.speedMap }) },
  { keys: ["t"], text: "trails", act: () => app.show({ trails: !app.shown.trails }) },
  { keys: ["v"], text: "velocity arrows", act: () => app.show({ arrows: !app.shown.arrows }) },
  { keys: ["b"], text: "throw a ball: drag from where, as far as fast", act: () => app.useTool(app.tool === "ball" ? "look" : "ball") },
  { keys: ["j"], text: "throw a box", act: () => app.useTool(app.tool === "box" ? "look" : "box") },
  { keys: ["n"], text: "drop a crowd of 20 where you click", act: () => app.useTool(app.tool === "crowd" ? "look" : "crowd") },
  { keys: ["Ctrl+z"], text: "undo what was changed by hand", act: () => (editor.open ? editor.undo() : app.undo()) },
  { keys: ["Ctrl+y", "Ctrl+Z"], text: "redo, while drawing", act: () => editor.open && editor.redo() },
  { keys: ["g"], text: "gallery", act: doors.gallery },
  { keys: ["e"], text: "draw: the scenario and its text", act: doors.draw },
  { keys: ["c"], text: "compare", act: doors.compare },
  { keys: ["s"], text: "save a picture", act: doors.picture },
  { keys: ["r"], text: "record a film, and end it", act: doors.film },
  { keys: ["y"], text: "copy a link with all settings, where there is no server", act: () => app.link instanceof Alone && doors.link() },
  { keys: ["l"], text: "light or dark", act: doors.theme },
  { keys: ["["], text: "fold the left side away", act: () => fold("rail") },
  { keys: ["]"], text: "fold the right side away", act: () => fold("panel") },
  { keys: ["Delete", "Backspace"], text: "remove who is selected, or, while drawing, what is", act: () => removeSelected() },
  { keys: ["Escape"], text: "close, put down the tool", act: escape },
  { keys: ["?"], text: "this list", act: () => keys.help() },
]);
function removeSelected() {
  if (editor.open) return editor.remove();
  const s = app.selection;
  if (s?.kind !== "person" || !s.run.scene?.live) return;
  app.act(`person ${s.id} removed`, { do: "remove", run: s.run.index, person: s.id });
  app.select(undefined);
}
const toolHints = {
  look: "", ball: "Drag from where the ball starts: the longer, the faster. Esc ends.", box: "Drag from where the box starts: the longer, the faster. Esc ends.",
  crowd: "Click where 20 more people come. Esc ends.", push: "Drag away from the person: the arrow is the push.", send: "Click where this person should go.",
};
app.on("tool", () => app.tool !== "look" && say(toolHints[app.tool]));

// A file dropped on the page is opened.
window.addEventListener("dragover", (e) => e.preventDefault());
window.addEventListener("drop", (e) => {
  e.preventDefault();
  const file = e.dataTransfer?.files[0];
  if (!file) return;
  gallery.close();
  editor.openFile(file);
});

if (!stage.painter) say("This browser has no WebGL2: people are plain discs, without overlays, trails and arrows.");

async function read<T>(path: string): Promise<T | undefined> {
  try {
    const answer = await app.link.request(path);
    return answer.ok ? ((await answer.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** What the link says, or the page itself, is opened first; false: nothing is said. */
async function openFirst(): Promise<boolean> {
  const given = document.getElementById("start")?.textContent, scene = new URLSearchParams(location.search).get("scene");
  if (location.hash.length > 1 && (await links.open(location.hash))) return true;
  if (given) app.open((JSON.parse(given) as { open: Opening }).open);
  else if (scene) app.open({ scene });
  return given !== undefined || scene !== null;
}

async function start() {
  const enclosed = document.getElementById("run");
  if (enclosed?.textContent) {
    document.body.classList.add("enclosed");
    const what = await openEnclosure(enclosed.textContent);
    app.models = what.models;
    app.link = new Enclosed(what, app);
    app.tell("models");
    return;
  }
  const module = await findModule();
  app.link = module ? new Alone(module, app) : new Server(app);
  document.body.classList.toggle("alone", module !== undefined);
  const begun = await openFirst(); // before the lists, which nobody waits for
  [app.models = [], app.cards = []] = await Promise.all([read<Model[]>("models.json"), read<Card[]>("scenes.json")]);
  app.tell("models");
  if (!begun) window.setTimeout(() => !app.run.scene && !editor.open && gallery.show(true), 350);
}
app.on("scene", () => !gallery.open && firstMinute());
start().catch((fault: Error) => {
  find("cover").hidden = false;
  find("cover").textContent = `This file cannot be played: ${fault.message}`;
});

// For tests and the curious: `throng.stage.costs` are the ms of script of the last pictures.
Object.assign(window, { throng: { app, stage, panel, editor } });
