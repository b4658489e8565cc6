// app.ts: what the whole page knows: the link, the runs, the camera, what is shown and what is selected; and who wants to
// hear when some of it changes. Whatever is done by hand is remembered here with the way back.

import { Camera } from "./camera";
import { say } from "./dom";
import type { Shown } from "./draw";
import { Run } from "./run";
import { Overlays } from "./overlays";
import { Settings, type Opening } from "./settings";
import type { Card, ChartRow, Command, Field, Frame, Goal, Link, LinkState, Model, Named, Note, Person, Scene, Status } from "./types";

export type Selection =
  | { kind: "person"; run: Run; id: number }
  | { kind: "goal"; run: Run; goal: Goal }
  | { kind: "obstacle" | "line" | "zone" | "area"; run: Run; named: Named }
  | { kind: "thing"; run: Run; index: number };

export type Tool = "look" | "ball" | "box" | "crowd" | "push" | "send";

interface Events {
  link: [LinkState];
  scene: [Run];
  opened: [Run]; // its first scene after it was opened
  status: [Run];
  frame: [Run];
  chart: [Run];
  person: [Person];
  field: [Field];
  checked: [{ messages: Note[]; scene?: Scene }];
  runs: [];
  select: [];
  shown: [];
  tool: [];
  models: [];
  undo: [];
}

export class App {
  link!: Link;
  linkState: LinkState = "connecting";
  runs: Run[] = [new Run(0)];
  models: Model[] = [];
  cards: Card[] = [];
  camera = new Camera();
  selection?: Selection;
  follow = false;
  person?: Person;
  speed = 1;
  tool: Tool = "look";
  shown: Shown = { by: "speed", fullSpeed: 1.6, density: false, speedMap: false, trails: false, arrows: false, theme: "light" };
  quantity?: string;
  cursorTime?: number; // s, the moment pointed at on the time line or a chart
  marks: { time: number; text: string }[] = []; // what was done by hand, on the time line
  takeCosts: number[] = []; // ms of script for each new frame, the last few
  drawing?: string; // the name of what is being drawn
  opening = ""; // what was asked for last
  opened: Opening[] = []; // by run: what it was opened with
  files: string[] = []; // of the command line
  hand: Map<string, Command>[] = []; // by run: what was done by hand and lasts
  private fresh = [true, true, true, true]; // by run: the next scene is its first
  private charted = false;
  private undos: { text: string; back: Command[]; time: number }[] = [];
  private listeners = new Map<keyof Events, ((...what: never[]) => void)[]>();
  readonly overlays = new Overlays(this);
  readonly settings = new Settings(this);

  on<K extends keyof Events>(kind: K, listener: (...what: Events[K]) => void) {
    const list = this.listeners.get(kind) ?? [];
    list.push(listener as (...what: never[]) => void);
    this.listeners.set(kind, list);
  }
  tell<K extends keyof Events>(kind: K, ...what: Events[K]) {
    for (const listener of this.listeners.get(kind) ?? []) (listener as (...w: Events[K]) => void)(...what);
  }

  get run(): Run {
    return this.runs[0];
  }
  get playing(): boolean {
    const state = this.run.status?.state;
    return state === "running" || state === "preparing";
  }
  send(command: Command) {
    this.link?.send(this.remembered(command));
  }
  /** Keeps the last word about each door, wall and group. What a link said of it holds after a restart, too, and so does the last word then. */
  private remembered(c: Command): Command {
    const known = (this.hand[Number(c.run ?? 0)] ??= new Map()), whom = c.goal ?? c.obstacle ?? c.group, key = [c.do, whom, c.param ?? ""].join(" ");
    if (c.do === "restart" || c.do === "seed") for (const of of this.hand) of?.forEach((one, k) => ["door", "obstacle", "move"].includes(one.do) && !one.keep && of.delete(k));
    if (c.do === "model") known.forEach((one, k) => ["model", "set"].includes(one.do) && (!c.group || one.group === c.group) && known.delete(k));
    if (!["door", "obstacle", "move", "set", "model"].includes(c.do) || !whom) return c;
    const last = known.get(key), before = last?.by as number[] | undefined, by = c.by as number[] | undefined, said = last?.keep ? { ...c, keep: true } : c;
    known.delete(key);
    known.set(key, before && by ? { ...said, by: [by[0] + before[0], by[1] + before[1]] } : said);
    return said;
  }
  /** Sends a command and remembers how to take it back. */
  change(text: string, command: Command, back: Command[]) {
    this.send(command);
    const time = this.run.time(performance.now());
    this.undos.push({ text, back, time });
    this.marks.push({ time, text });
    this.tell("undo");
  }
  /** What can only be taken back by going back to the moment before. */
  act(text: string, command: Command) {
    this.change(text, command, [{ do: "undo", run: command.run ?? 0 }]);
  }
  undo() {
    const last = this.undos.pop();
    if (!last) return say("Nothing to undo.");
    last.back.forEach((c) => this.send(c));
    this.marks = this.marks.filter((m) => m.text !== last.text || m.time !== last.time);
    this.tell("undo");
    say(`Undone: ${last.text}`);
  }
  get canUndo() {
    return this.undos.length > 0;
  }

  open(what: Opening, run = 0) {
    const { then, ...opening } = what;
    this.send({ do: "open", run, ...opening });
    this.opening = String(what.scene ?? what.name ?? "");
    this.opened[run] = opening;
    this.hand[run] = new Map();
    this.fresh[run] = true;
    for (const command of then ?? []) this.send({ ...command, run, keep: true });
    if (run === 0) this.begin();
  }
  /** The first run is another one: nothing was done to it by hand. */
  private begin() {
    this.shown.fullSpeed = 1.6;
    this.undos = [];
    this.marks = [];
    this.tell("undo");
    this.select(undefined);
  }
  toggle() {
    const next = this.playing ? "pause" : "play";
    this.send({ do: next });
    for (const run of this.runs) if (run.status) run.status = { ...run.status, state: next === "play" ? "running" : "paused" };
    this.tell("status", this.run);
  }
  setSpeed(speed: number) {
    this.speed = Math.min(20, Math.max(0.1, speed));
    this.send({ do: "speed", factor: this.speed });
    this.tell("status", this.run);
  }
  faster(way: 1 | -1) {
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
    const next = way > 0 ? steps.find((s) => s > this.speed * 1.01) : [...steps].reverse().find((s) => s < this.speed * 0.99);
    if (next) this.setSpeed(next);
  }
  restart() {
    this.marks = [];
    this.undos = this.undos.filter((u) => !u.back.some((c) => c.do === "undo"));
    this.tell("undo");
    this.runs.forEach((r) => r.scene?.live && r.series.clear());
    this.send({ do: "restart" });
  }
  select(what: Selection | undefined) {
    this.selection = what;
    this.person = undefined;
    if (!what || what.kind !== "person") this.follow = false;
    this.tell("select");
    if (what?.kind === "person") this.ask();
  }
  ask() {
    if (this.selection?.kind === "person") this.send({ do: "ask", run: this.selection.run.index, person: this.selection.id });
  }
  show(change: Partial<Shown>) {
    Object.assign(this.shown, change);
    this.tell("shown");
  }
  useTool(tool: Tool) {
    this.tool = tool;
    this.tell("tool");
  }

  /** Sets how many runs stand side by side. */
  setRuns(count: number) {
    while (this.runs.length > count) this.send({ do: "close", run: this.runs.pop()!.index });
    while (this.runs.length < count) this.runs.push(new Run(this.runs.length));
    this.tell("runs");
  }

  // What the link tells.
  state(state: LinkState) {
    this.linkState = state;
    this.tell("link", state);
  }
  frame(frame: Frame) {
    const run = this.runs[frame.run];
    if (!run) return;
    const began = performance.now();
    run.take(frame, began);
    if (run.index === 0) this.fitSpeed(run);
    this.takeCosts.push(performance.now() - began);
    if (this.takeCosts.length > 240) this.takeCosts.shift();
    this.tell("frame", run);
  }
  /** The end of the speed scale: 1.6 m/s, unless most people are faster; as `throng render` has it. */
  private fitSpeed(run: Run) {
    let sum = 0;
    const { speed, n } = run.frame!;
    for (let i = 0; i < n; i++) sum += speed[i];
    const mean = n ? (sum * 0.02) / n : 0, full = mean > 1.3 ? Math.ceil(2.5 * mean) / 2 : 1.6;
    if (full > this.shown.fullSpeed) this.show({ fullSpeed: full });
  }
  message(message: { type: string } & Record<string, unknown>) {
    const run = this.runs[Number(message.run ?? 0)];
    switch (message.type) {
      case "hello":
        this.files = (message.files ?? []) as string[];
        return;
      case "scene":
        this.takeScene(message as unknown as Scene);
        return;
      case "status":
        if (!run) return;
        run.status = message as unknown as Status;
        if (!this.charted && run.status.inside !== undefined && run.scene?.live) this.chartFromStatus(run, run.status);
        if (run.status.speed) this.speed = run.status.speed;
        return this.tell("status", run);
      case "chart":
        if (!run) return;
        this.charted = true;
        run.series.add(message as unknown as ChartRow);
        return this.tell("chart", run);
      case "charts":
        run?.series.replace((message.rows ?? message.charts ?? []) as ChartRow[]);
        return run && this.tell("chart", run);
      case "person":
        this.person = message as unknown as Person;
        return this.tell("person", this.person);
      case "field":
        return this.tell("field", message as unknown as Field);
      case "checked":
        return this.tell("checked", message as unknown as { messages: Note[]; scene?: Scene });
      case "error":
        return say(String(message.message ?? "The server refused that."), "fault");
    }
  }
  /** Where the server sends no rows for the charts, what its state and the frame tell. */
  private chartFromStatus(run: Run, status: Status) {
    const last = run.series.rows[run.series.rows.length - 1];
    if (last && Math.abs(last.time - status.time) < 0.1) return;
    let sum = 0;
    for (let i = 0; i < run.n; i++) sum += run.frame!.speed[i];
    run.series.add({ run: run.index, time: status.time, inside: status.inside, left: status.left, mean_speed: run.n ? (sum * 0.02) / run.n : undefined, ms_per_step: status.ms_per_step });
    this.tell("chart", run);
  }
  private takeScene(scene: Scene) {
    const index = scene.run ?? 0;
    if (index > 3) return;
    if (index >= this.runs.length) {
      while (this.runs.length <= index) this.runs.push(new Run(this.runs.length));
      this.tell("runs");
    }
    const run = this.runs[index], other = run.scene !== undefined && run.scene.name !== scene.name;
    if (scene.settings?.model) scene.model = scene.settings.model;
    run.setScene(scene);
    // Somebody else opened it.
    if (other && !this.fresh[index]) {
      this.opened[index] = {};
      this.hand[index] = new Map();
      if (index === 0) this.begin();
    }
    this.refreshSelection(run);
    const first = this.fresh[index] || other;
    this.fresh[index] = false;
    this.tell("scene", run);
    if (first) this.tell("opened", run);
  }
  /** A scene that is sent again has new goals and obstacles under the old names. */
  private refreshSelection(run: Run) {
    const s = this.selection;
    if (!s || s.run !== run || !run.scene) return;
    if (s.kind === "goal") s.goal = run.scene.goals?.find((g) => g.name === s.goal.name) ?? s.goal;
    else if (s.kind === "obstacle") s.named = run.scene.obstacles?.find((o) => o.name === s.named.name) ?? s.named;
    this.tell("select");
  }
}
