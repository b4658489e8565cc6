// editor.ts: a scenario drawn with the mouse, with its text beside it. The text is what counts: a drawn shape is written
// into it in place, and what is typed is drawn at once. The reader of the server says what is wrong, at line and place.

import type { App } from "./app";
import type { Rect } from "./camera";
import { groups, themes } from "./colours";
import { find, make, say } from "./dom";
import { distance, drawGround, drawNames, within } from "./ground";
import { addEntry, addItem, get, lineOf, numberOf, parse, pointOf, removePart, replace, ringIn, setKey, textOf, TextFault, writePoint, writeRing, type Node } from "./scenario_text";
import { saveText } from "./share";
import type { Guest, Stage } from "./stage";
import type { Note, Point, Ring, Scene } from "./types";

type Kind = "room" | "obstacle" | "wall" | "disc" | "exit" | "goal" | "zone" | "people" | "source" | "line" | "area";
type Tool = "select" | "door" | Exclude<Kind, "disc">;

/** A shape of the scenario, with the place of its points in the text. */
interface Shape {
  kind: Kind;
  points: Ring;
  node: Node; // of the points
  owner: Node; // the object it belongs to, or the value itself
  start: number; // of what is taken out when it is removed
  end: number;
  name: string;
  radius?: number;
  single?: boolean; // one point that is written alone
}

const tools: [Tool, string, string][] = [
  ["select", "Select", "move shapes and corners; Delete removes"],
  ["room", "Room", "drag a rectangle or click corners: where people can walk"],
  ["wall", "Wall", "drag a thin wall, or click its points; Enter, Esc or a double click ends it"],
  ["door", "Door", "drag along a wall: it has a gap there"],
  ["obstacle", "Obstacle", "drag a rectangle or click corners"],
  ["exit", "Exit", "drag a rectangle: people leave there"],
  ["goal", "Goal", "drag a rectangle: a place people go to"],
  ["people", "People", "drag a rectangle: people stand there at the start"],
  ["source", "Source", "drag a rectangle: people come there while it runs"],
  ["zone", "Zone", "drag a rectangle: people are slower there"],
  ["line", "Line", "drag it, or click both ends: who crosses it is counted"],
];

const blank = `{
  "throng": 1,
  "name": "my-room",
  "duration": 120,

  "walkable_area": [[0, 0], [16, 0], [16, 9], [0, 9]],
  "obstacles": [],
  "goals": {},
  "agents": [],

  "model": "orca"
}
`;

export class Editor implements Guest {
  private box = find("editor");
  private area = make("textarea", { id: "scenario-text", spellcheck: false, wrap: "off", "aria-label": "Scenario text" });
  private gutter = make("pre", { class: "gutter" });
  private notes = make("ul", { class: "notes" });
  private properties = make("div", { class: "properties" });
  private toolbar = make("div", { id: "tools", class: "tools", role: "toolbar", hidden: true });
  private tool: Tool = "select";
  private text = "";
  private past: string[] = [];
  private future: string[] = [];
  private shapes: Shape[] = [];
  private messages: Note[] = [];
  private understood?: Scene;
  private selected = -1;
  private drawing: Ring = []; // corners so far
  private pointer: Point = [0, 0];
  private rectangle?: Point;
  private typed = "";
  private grip?: { shape: number; corner: number; from: Point; before: string; points: Ring };
  private checkTimer = 0;
  private saved = "";
  private fetched = "";
  private undoButton = make("button", { title: "Ctrl+Z", onclick: () => this.undo(), disabled: true }, "Undo");
  private redoButton = make("button", { title: "Ctrl+Y", onclick: () => this.redo(), disabled: true }, "Redo");

  constructor(private app: App, private stage: Stage) {
    const button = (text: string, title: string, act: () => void, id?: string) => make("button", { title, onclick: act, id }, text);
    this.box.append(
      make("div", { class: "editor-head" }, button("Run", "Runs what is drawn (Ctrl+Enter)", () => this.run(), "editor-run"), button("Save", "Saves the scenario as a file for `throng run`", () => this.save()),
        button("New", "An empty room", () => this.start(blank), "editor-new"), this.undoButton, this.redoButton,
        make("span", { class: "grow" }), make("button", { class: "quiet", title: "Back to the run (Esc)", onclick: () => this.close() }, "Close")),
      this.properties, make("div", { class: "text" }, this.gutter, this.area), this.notes);
    this.stage.element.append(this.toolbar);
    for (const [tool, name, help] of tools) this.toolbar.append(make("button", { title: help, "data-tool": tool, onclick: () => this.choose(tool) }, name));
    this.area.oninput = () => this.take(this.area.value, true);
    this.area.onscroll = () => (this.gutter.scrollTop = this.area.scrollTop);
    this.area.onkeydown = (e) => {
      if (e.ctrlKey && e.key === "Enter") this.run();
      else if (e.ctrlKey && e.key === "z") e.preventDefault(), this.undo();
      else if (e.ctrlKey && (e.key === "y" || e.key === "Z")) e.preventDefault(), this.redo();
      else return;
      e.stopPropagation();
    };
    this.area.onclick = () => this.selectAt(this.area.selectionStart);
    window.addEventListener("keydown", (e) => this.typing(e), true);
    app.on("checked", ({ messages, scene }) => {
      if (!this.open) return;
      this.messages = messages ?? [];
      this.understood = scene ?? this.understood;
      this.showNotes();
      this.stage.redraw();
    });
  }

  // ---- opening and closing

  get open() {
    return !this.box.hidden;
  }
  async show() {
    if (!this.app.link.live) return say("An exported page cannot draw: open it with `throng view`.");
    let text = this.text;
    const scene = this.app.run.scene;
    if (scene?.live) {
      try {
        const answer = await this.app.link.request("scenario.json", { run: "0" }), now = answer.ok ? await answer.text() : "";
        // What runs is drawn, with what was done to it meanwhile; what was drawn and has not run yet stays.
        if (now && (!text || scene.name !== this.saved || now !== this.fetched)) text = now;
        this.fetched = now;
        this.saved = scene.name;
      } catch {
        say("The scenario could not be fetched.", "fault");
      }
    }
    this.begin(text || blank);
  }
  private begin(text: string) {
    this.app.select(undefined);
    this.app.send({ do: "pause" });
    this.box.hidden = false;
    this.toolbar.hidden = false;
    document.body.classList.add("drawing");
    this.stage.guest = this;
    this.past = [];
    this.future = [];
    this.understood = undefined;
    this.take(text, false);
    this.choose("select");
    this.fit();
  }
  /** Begins with another text; what was there can be had back. */
  start(text: string) {
    if (!this.open) return this.begin(text);
    this.take(text, true);
    this.fit();
  }
  close() {
    this.box.hidden = true;
    this.toolbar.hidden = true;
    this.stage.guest = undefined;
    document.body.classList.remove("drawing");
    this.app.drawing = undefined;
    this.app.tell("status", this.app.run);
    this.stage.element.style.cursor = "";
    this.stage.refit(false);
  }
  private fit() {
    const all = this.shapes.flatMap((s) => s.points);
    if (!all.length) return;
    const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
    requestAnimationFrame(() => {
      this.app.camera.fit([Math.min(...xs) - 0.5, Math.min(...ys) - 0.5, Math.max(...xs) + 0.5, Math.max(...ys) + 0.5], this.stage.pane(0), false);
      this.stage.redraw();
    });
  }
  run() {
    if (this.drawing.length) this.finish();
    this.app.setRuns(1);
    this.app.open({ text: this.text, name: `${this.name()}.json` });
    this.fetched = this.text;
    this.saved = this.name();
    this.close();
  }
  private name(): string {
    try {
      return textOf(get(parse(this.text), "name")) ?? "drawn";
    } catch {
      return "drawn";
    }
  }
  private save() {
    saveText(this.text, `${this.name().replace(/[^\w.-]+/g, "-")}.json`);
    say("Scenario saved.");
  }
  /** A scenario is opened here; a plan or a recording is given to the server, which answers with what it made of it. */
  async openFile(file: File) {
    if (file.size > 256 * 1024 * 1024) return say(`${file.name} is too large to be sent; give it to \`throng view\` on the command line.`, "fault");
    if (/\.json$/i.test(file.name)) {
      const text = await file.text();
      if (/"throng"\s*:/.test(text)) return this.start(text);
    }
    try {
      const answer = await this.app.link.request("open", { name: file.name }, file), said = await answer.text();
      const told: { text?: string; messages?: Note[]; run?: number } = said.startsWith("{") ? JSON.parse(said) : { messages: [{ text: said }] };
      if (told.text) this.start(told.text);
      else if (told.run !== undefined) this.open && this.close();
      else say(`${file.name}: ${told.messages?.[0]?.text ?? "it cannot be opened"}`, "fault");
    } catch {
      say(`${file.name} cannot be opened here.`, "fault");
    }
  }

  // ---- the text

  private take(text: string, remember: boolean) {
    if (remember && text !== this.text) {
      this.past.push(this.text);
      if (this.past.length > 300) this.past.shift();
      this.future = [];
    }
    this.text = text;
    if (this.area.value !== text) this.area.value = text;
    const lines = text.split("\n").length;
    this.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    try {
      this.shapes = shapesIn(parse(text));
      this.messages = [];
    } catch (fault) {
      if (!(fault instanceof TextFault)) throw fault;
      this.messages = [{ severity: "error", text: fault.message, ...lineOf(text, fault.at) }];
    }
    if (this.selected >= this.shapes.length) this.selected = -1;
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
    this.app.drawing = this.name();
    this.app.tell("status", this.app.run);
    this.showNotes();
    this.showProperties();
    this.stage.redraw();
    clearTimeout(this.checkTimer);
    this.checkTimer = window.setTimeout(() => this.open && this.app.send({ do: "check", text: this.text }), 250);
  }
  undo() {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.text);
    this.take(before, false);
  }
  redo() {
    const next = this.future.pop();
    if (next === undefined) return;
    this.past.push(this.text);
    this.take(next, false);
  }
  private showNotes() {
    const bad = this.messages.filter((m) => m.severity === "error").length;
    this.notes.replaceChildren(...(this.messages.length ? this.messages : [{ text: "No complaints.", severity: "fine" } as Note]).map((m) =>
      make("li", { class: m.severity ?? "", onclick: () => m.line && this.goTo(m.line, m.column ?? 1) }, m.line ? make("b", {}, `${m.line}:${m.column ?? 1} `) : "", m.text)));
    find<HTMLButtonElement>("editor-run").classList.toggle("blocked", bad > 0);
    const lines = new Set(this.messages.map((m) => m.line));
    if (lines.size) this.gutter.innerHTML = this.gutter.textContent!.split("\n").map((n) => (lines.has(Number(n)) ? `<mark>${n}</mark>` : n)).join("\n");
  }
  private goTo(line: number, column: number) {
    const lines = this.area.value.split("\n"), at = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at + 1);
    this.area.scrollTop = Math.max(0, (line - 6) * 17);
  }
  private selectAt(at: number) {
    const found = this.shapes.findIndex((s) => at >= s.owner.start && at <= s.owner.end && s.kind !== "room");
    if (found >= 0) this.pick(found);
  }

  // ---- changes

  /** Puts new points where those of a shape stand. */
  private setPoints(shape: Shape, points: Ring, remember: boolean) {
    const by = shape.kind === "disc" ? `[${points[0].map((v) => Number(v.toFixed(3))).join(", ")}, ${shape.radius}]` : shape.single ? writePoint(points[0]) : writeRing(points);
    this.take(replace(this.text, shape.node, by), remember);
  }
  private listFor(root: Node, key: string, empty: string): [string, Node] {
    let text = this.text, node = get(root, key);
    if (!node) {
      text = addEntry(text, root, key, empty);
      node = get(parse(text), key)!;
    }
    return [text, node];
  }
  private freeName(of: Node | undefined, base: string): string {
    const taken = new Set(of?.entries.map((e) => e.key));
    for (let k = 1; ; k++) if (!taken.has(k === 1 ? base : `${base} ${k}`)) return k === 1 ? base : `${base} ${k}`;
  }
  /** Writes what was drawn into the text. */
  private add(kind: Tool, ring: Ring) {
    let root: Node;
    try {
      root = parse(this.text);
    } catch {
      return say("The text has a fault: mend it first.", "fault");
    }
    const points = writeRing(ring);
    const goal = get(root, "goals")?.entries[0]?.key, toGoal = goal ? `, "goal": ${JSON.stringify(goal)}` : "";
    const put = (key: string, item: string) => {
      const [text, node] = this.listFor(root, key, "[]");
      return addItem(text, node, item);
    };
    let text = this.text;
    if (kind === "room") text = setKey(text, root, "walkable_area", points);
    else if (kind === "wall") text = put("obstacles", `{"line": ${points}}`);
    else if (kind === "obstacle") text = put("obstacles", `{"polygon": ${points}}`);
    else if (kind === "zone") text = put("zones", `{"polygon": ${points}, "speed_factor": 0.5}`);
    else if (kind === "people") text = put("agents", `{"in": ${points}, "count": ${Math.max(1, Math.round(Math.min(500, 0.8 * areaOf(ring))))}${toGoal}}`);
    else if (kind === "source") text = put("sources", `{"in": ${points}, "rate": 1${toGoal}}`);
    else if (kind === "exit" || kind === "goal") {
      const [begun, node] = this.listFor(root, "goals", "{}"), name = this.freeName(get(root, "goals"), kind === "exit" ? "exit" : "goal");
      text = this.giveGoal(addEntry(begun, node, name, `{"polygon": ${points}${kind === "exit" ? ', "exit": true' : ""}}`), name);
    } else if (kind === "line") {
      let [begun, node] = this.listFor(root, "measure", "{}");
      if (!get(node, "lines")) (begun = addEntry(begun, node, "lines", "{}")), (node = get(parse(begun), "measure")!);
      text = addEntry(begun, get(node, "lines")!, this.freeName(get(node, "lines"), "line"), points);
    }
    this.take(text, true);
    this.selected = kind === "room" ? this.shapes.findIndex((s) => s.kind === "room") : findLast(this.shapes, (s) => s.kind === kind);
    this.showProperties();
  }
  /** People who were drawn before there was anywhere to go get the first goal. */
  private giveGoal(text: string, name: string): string {
    for (const list of ["agents", "sources"])
      for (let i = 0; ; i++) {
        const entry = get(parse(text), list, i);
        if (!entry) break;
        if (!get(entry, "goal") && !get(entry, "journey") && !get(entry, "profile")) text = addEntry(text, entry, "goal", JSON.stringify(name));
      }
    return text;
  }
  remove() {
    const shape = this.shapes[this.selected];
    if (!shape || shape.kind === "room") return;
    this.selected = -1;
    this.take(removePart(this.text, shape.start, shape.end), true);
  }
  private choose(tool: Tool) {
    if (this.drawing.length > 1) this.finish();
    this.tool = tool;
    this.drawing = [];
    this.rectangle = undefined;
    for (const b of this.toolbar.querySelectorAll<HTMLElement>("button")) b.classList.toggle("on", b.dataset.tool === tool);
    if (tool !== "select") this.selected = -1;
    this.showProperties();
    this.stage.redraw(false);
  }
  private toolHelp(): string {
    const help = tools.find((t) => t[0] === this.tool)![2];
    return help[0].toUpperCase() + help.slice(1);
  }
  private pick(index: number) {
    this.selected = index;
    this.showProperties();
    this.stage.redraw(false);
  }

  // ---- what is selected, in numbers

  private showProperties() {
    const shape = this.shapes[this.selected];
    if (!shape) return void this.properties.replaceChildren(make("p", { class: "faint small" }, this.tool === "select" ? "Click a shape to see its numbers; drag it or its corners to move it." : `${this.toolHelp()}. Digits set a length. Alt: no snapping.`));
    if (this.properties.contains(document.activeElement)) return;
    const xs = shape.points.map((p) => p[0]), ys = shape.points.map((p) => p[1]), [x0, y0] = [Math.min(...xs), Math.min(...ys)];
    const size: Point = [Math.max(...xs) - x0, Math.max(...ys) - y0];
    const rows: HTMLElement[] = [make("b", {}, titleOf(shape))];
    const number = (name: string, value: number, act: (v: number) => void) => {
      const input = make("input", { type: "text", value: String(Number(value.toFixed(3))), "aria-label": name, onchange: () => Number.isFinite(Number(input.value)) && (input.blur(), act(Number(input.value))) });
      rows.push(make("label", {}, name, input));
    };
    const moved = (f: (p: Point) => Point) => this.setPoints(shape, shape.points.map(f), true);
    number("x", x0, (v) => moved(([x, y]) => [x + v - x0, y]));
    number("y", y0, (v) => moved(([x, y]) => [x, y + v - y0]));
    if (size[0] > 0) number("width", size[0], (v) => moved(([x, y]) => [x0 + ((x - x0) * v) / size[0], y]));
    if (size[1] > 0) number("height", size[1], (v) => moved(([x, y]) => [x, y0 + ((y - y0) * v) / size[1]]));
    const key = (name: string, label = name) => {
      const node = get(shape.owner, name);
      if (numberOf(node) !== undefined) number(label, numberOf(node)!, (v) => this.take(replace(this.text, node!, String(v)), true));
    };
    for (const name of ["count", "density", "rate", "speed_factor", "wait"]) key(name, name.replace("_", " "));
    if (shape.kind === "people" || shape.kind === "source") rows.push(this.goalChoice(shape));
    if (shape.kind !== "room") rows.push(make("button", { class: "quiet", onclick: () => this.remove() }, "Remove"));
    this.properties.replaceChildren(...rows);
  }
  private goalChoice(shape: Shape): HTMLElement {
    let names: string[] = [];
    try {
      names = get(parse(this.text), "goals")?.entries.map((e) => e.key) ?? [];
    } catch {
      /* the text is being typed */
    }
    const now = textOf(get(shape.owner, "goal"));
    const choice = make("select", { "aria-label": "goal", onchange: () => this.take(setKey(this.text, shape.owner, "goal", JSON.stringify(choice.value)), true) },
      ...(now && names.includes(now) ? [] : [make("option", { selected: true }, now ?? "–")]), ...names.map((n) => make("option", { value: n, selected: n === now }, n)));
    return make("label", {}, "goes to", choice);
  }

  // ---- the mouse

  /** Snaps to corners that are there, to right angles with the last corner, and to 0.1 m. */
  private snap(p: Point, event: { altKey: boolean }): Point {
    if (event.altKey) return p;
    const reach = 9 / this.app.camera.scale, last = this.drawing[this.drawing.length - 1];
    let best: Point | undefined, least = reach;
    for (const [i, shape] of this.shapes.entries())
      for (const [k, q] of shape.points.entries()) {
        if (this.grip && this.grip.shape === i && (this.grip.corner < 0 || this.grip.corner === k)) continue;
        const d = Math.hypot(q[0] - p[0], q[1] - p[1]);
        if (d < least) (least = d), (best = q);
      }
    if (best) return [...best];
    const q: Point = [Math.round(p[0] * 10) / 10, Math.round(p[1] * 10) / 10];
    if (last && Math.abs(p[0] - last[0]) < reach) q[0] = last[0];
    else if (last && Math.abs(p[1] - last[1]) < reach) q[1] = last[1];
    return q;
  }
  private get chain() {
    return this.tool === "wall" || this.tool === "line" || this.tool === "door";
  }
  down(p: Point, event: PointerEvent): boolean {
    const at = this.snap(p, event);
    if (this.tool === "select") return this.grab(p);
    if (event.detail >= 2 && this.drawing.length > 1) return this.finish(), true;
    const first = this.drawing[0];
    if (first && this.drawing.length > 2 && !this.chain && Math.hypot(first[0] - at[0], first[1] - at[1]) < 9 / this.app.camera.scale) return this.finish(), true;
    if (!this.drawing.length && !this.chain) this.rectangle = at;
    this.drawing.push(at);
    this.pointer = at;
    if (this.tool !== "wall" && this.chain && this.drawing.length === 2) this.finish();
    return true;
  }
  private grab(p: Point): boolean {
    const reach = 9 / this.app.camera.scale, order = [this.selected, ...this.shapes.keys()].filter((i) => i >= 0);
    for (const i of order) {
      const corner = this.shapes[i].points.findIndex((q) => Math.hypot(q[0] - p[0], q[1] - p[1]) < reach);
      if (corner >= 0 && (i === this.selected || this.shapes[i].points.length < 3)) return this.hold(i, corner, p);
    }
    const hit = findLast(this.shapes, (s) => s.kind !== "room" && (s.kind === "wall" || s.kind === "line" ? distance(s.points, p, false) < reach : s.kind === "disc" ? Math.hypot(s.points[0][0] - p[0], s.points[0][1] - p[1]) < (s.radius ?? 0) : s.points.length > 2 && within(s.points, p)));
    if (hit >= 0) return this.hold(hit, -1, p);
    const room = this.shapes.findIndex((s) => s.kind === "room" && distance(s.points, p, true) < reach);
    this.pick(room);
    return false;
  }
  private hold(shape: number, corner: number, p: Point): boolean {
    this.pick(shape);
    this.grip = { shape, corner, from: p, before: this.text, points: this.shapes[shape].points.map((q) => [...q] as Point) };
    return true;
  }
  move(p: Point, event: PointerEvent) {
    this.pointer = this.snap(p, event);
    const g = this.grip;
    if (!g) return;
    const shape = this.shapes[g.shape];
    if (!shape) return;
    if (g.corner >= 0) this.setPoints(shape, g.points.map((q, k) => (k === g.corner ? this.pointer : q)), false);
    else {
      const first = g.points[0], to = this.snap([first[0] + p[0] - g.from[0], first[1] + p[1] - g.from[1]], event), by: Point = [to[0] - first[0], to[1] - first[1]];
      this.setPoints(shape, g.points.map((q): Point => [q[0] + by[0], q[1] + by[1]]), false);
    }
  }
  up(p: Point, event: PointerEvent) {
    const g = this.grip;
    this.grip = undefined;
    if (g) {
      if (g.before !== this.text) this.past.push(g.before), (this.future = []), this.take(this.text, false);
      return;
    }
    const a = this.rectangle, b = this.snap(p, event), last = this.drawing[this.drawing.length - 1];
    this.rectangle = undefined;
    if (this.chain && this.drawing.length === 1 && Math.hypot(b[0] - last[0], b[1] - last[1]) * this.app.camera.scale >= 8) return this.drawing.push(b), this.finish();
    if (!a || this.drawing.length !== 1 || Math.hypot(b[0] - a[0], b[1] - a[1]) * this.app.camera.scale < 8) return;
    if (a[0] === b[0] || a[1] === b[1]) return void (this.drawing = []);
    this.drawing = [[Math.min(a[0], b[0]), Math.min(a[1], b[1])], [Math.max(a[0], b[0]), Math.min(a[1], b[1])], [Math.max(a[0], b[0]), Math.max(a[1], b[1])], [Math.min(a[0], b[0]), Math.max(a[1], b[1])]];
    this.finish();
  }
  cursor(p: Point): string {
    if (this.tool !== "select") return "crosshair";
    const reach = 9 / this.app.camera.scale, s = this.shapes[this.selected];
    return s?.points.some((q) => Math.hypot(q[0] - p[0], q[1] - p[1]) < reach) ? "move" : "default";
  }
  private finish() {
    const ring = this.drawing.filter((p, i, all) => i === 0 || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
    this.drawing = [];
    this.rectangle = undefined;
    this.typed = "";
    if (this.tool === "door" && ring.length === 2) this.cut(ring[0], ring[1]);
    else if (ring.length >= (this.chain ? 2 : 3)) this.add(this.tool, ring);
    this.stage.redraw();
  }
  /** Takes the part between two points out of the wall they lie on: a thin wall, or a rectangle as long as it is thin. */
  private cut(a: Point, b: Point) {
    const reach = 14 / this.app.camera.scale, near = (s: Shape) => (s.kind === "wall" ? distance(s.points, a, false) < reach && distance(s.points, b, false) < reach : isBar(s.points) && [a, b].every((p) => within(s.points, p) || distance(s.points, p, true) < reach));
    const wall = this.shapes.find((s) => (s.kind === "wall" || s.kind === "obstacle") && near(s));
    if (!wall) return say("A door is a gap in a wall: draw a wall first, then drag along it.");
    const pieces = wall.kind === "wall" ? cutChain(wall.points, a, b) : cutBar(wall.points, a, b), key = wall.kind === "wall" ? "line" : "polygon";
    const own = this.text.slice(wall.owner.start, wall.owner.end), from = wall.node.start - wall.owner.start, to = wall.node.end - wall.owner.start;
    const written = pieces.map((points, k) => (k ? `{"${key}": ${writeRing(points)}}` : own.slice(0, from) + writeRing(points) + own.slice(to)));
    if (!pieces.length) return say("Nothing of that wall would be left.");
    this.take(this.text.slice(0, wall.owner.start) + written.join(", ") + this.text.slice(wall.owner.end), true);
  }
  /** Esc ends a wall, or takes back what is being drawn; true when there was something. */
  escape(): boolean {
    if (this.tool === "wall" && this.drawing.length > 1) return this.finish(), true;
    if (this.drawing.length || this.selected >= 0 || this.tool !== "select") {
      const more = this.drawing.length || this.selected >= 0;
      this.drawing = [];
      this.typed = "";
      this.selected = -1;
      if (!more) this.choose("select");
      this.showProperties();
      this.stage.redraw();
      return true;
    }
    return false;
  }
  /** Digits typed while drawing are the length of the next edge; Enter sets the corner, or ends the shape. */
  private typing(e: KeyboardEvent) {
    if (!this.open || !this.drawing.length || (e.target as HTMLElement).closest("textarea,input")) return;
    if (/^[\d.]$/.test(e.key)) this.typed += e.key;
    else if (e.key === "Backspace") this.typed ? (this.typed = this.typed.slice(0, -1)) : this.drawing.pop();
    else if (e.key === "Enter" && Number(this.typed) > 0) {
      this.drawing.push(this.aim());
      this.typed = "";
      if (this.tool !== "wall" && this.chain && this.drawing.length === 2) this.finish();
    } else if (e.key === "Enter") this.finish();
    else return;
    e.preventDefault();
    e.stopPropagation();
    this.stage.redraw(false);
  }
  /** Where the next corner will be: the cursor, or as far towards it as was typed. */
  private aim(): Point {
    const last = this.drawing[this.drawing.length - 1], length = Number(this.typed);
    if (!last || !(length > 0)) return this.pointer;
    const d = Math.hypot(this.pointer[0] - last[0], this.pointer[1] - last[1]) || 1;
    return [last[0] + ((this.pointer[0] - last[0]) / d) * length, last[1] + ((this.pointer[1] - last[1]) / d) * length];
  }

  // ---- drawing

  /** The scene as the text has it; the place, when it comes from elsewhere, as the reader understood it. */
  private scene(): Scene {
    const of = (...kinds: Kind[]) => this.shapes.filter((s) => kinds.includes(s.kind)), room = of("room")[0];
    return {
      run: 0, name: "", live: true, model: "", bounds: [0, 0, 1, 1], walls: room ? [[room.points]] : this.understood?.walls ?? [], open: !room && this.understood?.open,
      goals: of("exit", "goal").map((s) => ({ name: s.name, exit: s.kind === "exit", ...(s.single ? { point: s.points[0] } : { polygon: s.points }) })),
      zones: of("zone").map((s) => ({ name: s.name, polygon: s.points })), lines: of("line").map((s) => ({ name: s.name, points: s.points })), areas: of("area").map((s) => ({ name: s.name, polygon: s.points })),
    };
  }
  draw(ink: CanvasRenderingContext2D, pane: Rect) {
    const { camera, shown } = this.app, c = themes[shown.theme], scene = this.scene(), at = (p: Point) => camera.toScreen(p, pane);
    drawGround(ink, scene, camera, pane, shown.theme);
    this.drawGrid(ink, pane, c.faint);
    for (const [i, shape] of this.shapes.entries()) this.drawShape(ink, shape, i === this.selected, at, c);
    drawNames(ink, scene, camera, pane, shown.theme);
    for (const m of this.messages) {
      if (m.x === undefined || m.y === undefined) continue;
      const [x, y] = at([m.x, m.y]);
      ink.strokeStyle = c.closed;
      ink.lineWidth = 2.5;
      ink.beginPath(), ink.arc(x, y, 11, 0, 7), ink.stroke();
      ink.fillStyle = c.closed;
      ink.font = "600 12px system-ui, sans-serif";
      ink.fillText(m.text.slice(0, 60), x + 16, y + 4);
    }
    this.drawPending(ink, at, c);
  }
  private drawGrid(ink: CanvasRenderingContext2D, pane: Rect, colour: string) {
    const { camera } = this.app, step = [0.1, 0.5, 1, 5, 10, 50, 100].find((s) => s * camera.scale > 16) ?? 500;
    const [x0, y1] = camera.toPlace(pane.x, pane.y, pane), [x1, y0] = camera.toPlace(pane.x + pane.w, pane.y + pane.h, pane);
    ink.strokeStyle = colour;
    ink.lineWidth = 1;
    for (const [every, alpha] of [[step, 0.1], [step * (step === 0.5 || step === 5 || step === 50 ? 2 : 10), 0.16]] as const) {
      ink.globalAlpha = alpha;
      ink.beginPath();
      for (let x = Math.ceil(x0 / every) * every; x < x1; x += every) {
        const px = Math.round(camera.toScreen([x, 0], pane)[0]) + 0.5;
        ink.moveTo(px, pane.y), ink.lineTo(px, pane.y + pane.h);
      }
      for (let y = Math.ceil(y0 / every) * every; y < y1; y += every) {
        const py = Math.round(camera.toScreen([0, y], pane)[1]) + 0.5;
        ink.moveTo(pane.x, py), ink.lineTo(pane.x + pane.w, py);
      }
      ink.stroke();
    }
    ink.globalAlpha = 1;
  }
  private drawShape(ink: CanvasRenderingContext2D, shape: Shape, selected: boolean, at: (p: Point) => Point, c: (typeof themes)["light"]) {
    ink.beginPath();
    if (shape.kind === "disc") {
      const [x, y] = at(shape.points[0]);
      ink.arc(x, y, (shape.radius ?? 0) * this.app.camera.scale, 0, 7);
    } else {
      shape.points.forEach((p, i) => (i ? ink.lineTo(...at(p)) : ink.moveTo(...at(p))));
      if (shape.kind !== "wall" && shape.kind !== "line") ink.closePath();
    }
    ink.setLineDash([]);
    if (shape.kind === "obstacle" || shape.kind === "disc") {
      ink.fillStyle = c.obstacle;
      ink.fill();
    }
    if (shape.kind === "people" || shape.kind === "source") {
      ink.fillStyle = shape.kind === "people" ? groups[0] : groups[1];
      ink.globalAlpha = 0.18;
      if (shape.points.length > 2) ink.fill();
      ink.globalAlpha = 1;
      if (shape.points.length < 3) for (const p of shape.points) ink.beginPath(), ink.arc(...at(p), 4, 0, 7), ink.fill();
    }
    if (["obstacle", "disc", "wall", "people", "source"].includes(shape.kind)) {
      ink.strokeStyle = shape.kind === "people" ? groups[0] : shape.kind === "source" ? groups[1] : c.wall;
      ink.lineWidth = shape.kind === "wall" ? 2.5 : 1.5;
      ink.stroke();
    }
    if ((shape.kind === "people" || shape.kind === "source") && shape.points.length > 2) {
      const xs = shape.points.map((p) => p[0]), ys = shape.points.map((p) => p[1]);
      ink.fillStyle = c.text;
      ink.font = "12px system-ui, sans-serif";
      ink.textAlign = "center";
      ink.fillText(shape.name, ...at([(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]));
      ink.textAlign = "start";
    }
    if (!selected) return;
    ink.strokeStyle = c.accent;
    ink.lineWidth = 2.5;
    ink.stroke();
    for (const p of shape.points) {
      const [x, y] = at(p);
      ink.fillStyle = c.floor;
      ink.fillRect(x - 4, y - 4, 8, 8);
      ink.strokeRect(x - 4, y - 4, 8, 8);
    }
    for (let i = shape.kind === "wall" || shape.kind === "line" ? 1 : 0; i < shape.points.length && shape.points.length > 1; i++)
      this.measure(ink, shape.points[(i + shape.points.length - 1) % shape.points.length], shape.points[i], at, c.accent, c.floor);
  }
  /** The length of an edge, beside its middle. */
  private measure(ink: CanvasRenderingContext2D, a: Point, b: Point, at: (p: Point) => Point, colour: string, halo: string) {
    const length = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (length * this.app.camera.scale < 34) return;
    const [x, y] = at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    ink.font = "600 12px system-ui, sans-serif";
    ink.textAlign = "center";
    ink.lineWidth = 4;
    ink.strokeStyle = halo;
    ink.strokeText(`${Number(length.toFixed(2))} m`, x, y - 6);
    ink.fillStyle = colour;
    ink.fillText(`${Number(length.toFixed(2))} m`, x, y - 6);
    ink.textAlign = "start";
    ink.strokeStyle = colour;
    ink.lineWidth = 2.5;
  }
  private drawPending(ink: CanvasRenderingContext2D, at: (p: Point) => Point, c: (typeof themes)["light"]) {
    if (this.tool === "select") return;
    const next = this.aim(), [px, py] = at(next);
    ink.strokeStyle = ink.fillStyle = c.accent;
    ink.lineWidth = 2;
    if (this.rectangle) {
      const [x, y] = at(this.rectangle);
      ink.globalAlpha = 0.12;
      ink.fillRect(x, y, px - x, py - y);
      ink.globalAlpha = 1;
      ink.strokeRect(x, y, px - x, py - y);
      const a = this.rectangle;
      this.measure(ink, a, [next[0], a[1]], at, c.accent, c.floor);
      this.measure(ink, [next[0], a[1]], next, at, c.accent, c.floor);
    } else if (this.drawing.length) {
      ink.beginPath();
      this.drawing.forEach((p, i) => (i ? ink.lineTo(...at(p)) : ink.moveTo(...at(p))));
      ink.lineTo(px, py);
      ink.stroke();
      this.measure(ink, this.drawing[this.drawing.length - 1], next, at, c.accent, c.floor);
      if (this.typed) ink.fillText(`${this.typed} m ↵`, px + 12, py - 12);
    }
    ink.beginPath(), ink.arc(px, py, 4, 0, 7), ink.fill();
  }
}

// ---- shapes in the text

function titleOf(shape: Shape): string {
  const words: Record<Kind, string> = { room: "walkable area", obstacle: "obstacle", wall: "wall", disc: "disc", exit: "exit", goal: "goal", zone: "zone", people: "people", source: "source", line: "measuring line", area: "measuring area" };
  return shape.name && !/^\d/.test(shape.name) ? `${words[shape.kind]} “${shape.name}”` : words[shape.kind];
}

function areaOf(ring: Ring): number {
  let sum = 0;
  ring.forEach(([x, y], i) => {
    const [nx, ny] = ring[(i + 1) % ring.length];
    sum += x * ny - nx * y;
  });
  return Math.abs(sum) / 2;
}

const between = (a: Point, b: Point, t: number): Point => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];

/** Where on a chain the point next to a place is: corners before it, and the part of the edge after them. */
function along(chain: Ring, p: Point): number {
  let best = 0, least = Infinity;
  for (let i = 1; i < chain.length; i++) {
    const [a, b] = [chain[i - 1], chain[i]], l = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2;
    const t = l ? Math.max(0, Math.min(1, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / l)) : 0, d = distance([a, b], p, false);
    if (d < least - 1e-9) (least = d), (best = i - 1 + t);
  }
  return best;
}
/** A chain without what lies between two places on it. */
function cutChain(chain: Ring, a: Point, b: Point): Ring[] {
  const [s, e] = [along(chain, a), along(chain, b)].sort((x, y) => x - y), at = (k: number) => between(chain[Math.floor(k)], chain[Math.min(chain.length - 1, Math.floor(k) + 1)], k % 1);
  const first = [...chain.slice(0, Math.floor(s) + 1), at(s)], last = [at(e), ...chain.slice(Math.floor(e) + 1)];
  return [first, last].map((c) => c.filter((p, i) => i === 0 || Math.hypot(p[0] - c[i - 1][0], p[1] - c[i - 1][1]) > 1e-6)).filter((c) => c.length > 1);
}
/** A rectangle along the axes that is at least three times as long as wide. */
function isBar(ring: Ring): boolean {
  if (ring.length !== 4 || ring.some((p, i) => p[0] !== ring[(i + 1) % 4][0] && p[1] !== ring[(i + 1) % 4][1])) return false;
  const w = Math.abs(ring[2][0] - ring[0][0]), h = Math.abs(ring[2][1] - ring[0][1]);
  return Math.max(w, h) >= 3 * Math.min(w, h);
}
function cutBar(ring: Ring, a: Point, b: Point): Ring[] {
  const xs = ring.map((p) => p[0]), ys = ring.map((p) => p[1]), [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const lies = x1 - x0 > y1 - y0, k = lies ? 0 : 1, from = Math.min(a[k], b[k]), to = Math.max(a[k], b[k]);
  const box = (l: number, r: number, d: number, u: number): Ring => [[l, d], [r, d], [r, u], [l, u]];
  return (lies ? [box(x0, from, y0, y1), box(to, x1, y0, y1)] : [box(x0, x1, y0, from), box(x0, x1, to, y1)]).filter((r) => areaOf(r) > 1e-6 && r[1][0] > r[0][0] && r[2][1] > r[0][1]);
}

function findLast<T>(list: T[], test: (item: T) => boolean): number {
  for (let i = list.length - 1; i >= 0; i--) if (test(list[i])) return i;
  return -1;
}

/** Every shape that can be drawn with points; others, as plans from files, are left to the reader. */
function shapesIn(root: Node): Shape[] {
  const shapes: Shape[] = [];
  const add = (kind: Kind, node: Node | undefined, owner: Node, name: string, part: { start: number; end: number }) => {
    const ring = ringIn(node), point = ring ? undefined : pointOf(node);
    if (ring) shapes.push({ kind, points: ring, node: node!, owner, name, start: part.start, end: part.end });
    else if (point) shapes.push({ kind, points: [point], node: node!, owner, name, start: part.start, end: part.end, single: true });
  };
  const place = get(root, "walkable_area");
  if (place && ringIn(place)) add("room", place, place, "", place);
  for (const zone of get(root, "zones")?.items ?? []) add("zone", get(zone, "polygon"), zone, "", zone);
  for (const entry of get(root, "measure", "areas")?.entries ?? []) add("area", entry.node, entry.node, entry.key, { start: entry.start, end: entry.node.end });
  for (const o of get(root, "obstacles")?.items ?? []) {
    const name = textOf(get(o, "id")) ?? "", disc = get(o, "disc"), [x, y, r] = (disc?.items ?? []).map(numberOf);
    add("obstacle", get(o, "polygon"), o, name, o);
    add("wall", get(o, "line"), o, name, o);
    if (disc && x !== undefined && y !== undefined && r !== undefined) shapes.push({ kind: "disc", points: [[x, y]], node: disc, owner: o, name, start: o.start, end: o.end, radius: r });
  }
  for (const entry of get(root, "goals")?.entries ?? []) {
    const part = { start: entry.start, end: entry.node.end };
    add(get(entry.node, "exit")?.value === true ? "exit" : "goal", get(entry.node, "polygon") ?? get(entry.node, "point"), entry.node, entry.key, part);
  }
  for (const [list, kind] of [["agents", "people"], ["sources", "source"]] as const)
    for (const a of get(root, list)?.items ?? []) {
      const count = numberOf(get(a, "count")), density = numberOf(get(a, "density")), rate = numberOf(get(a, "rate"));
      add(kind, get(a, "in") ?? get(a, "at"), a, count !== undefined ? `${count} people` : density !== undefined ? `${density} /m²` : rate !== undefined ? `${rate} /s` : "", a);
    }
  for (const entry of get(root, "measure", "lines")?.entries ?? []) add("line", entry.node, entry.node, entry.key, { start: entry.start, end: entry.node.end });
  return shapes;
}
