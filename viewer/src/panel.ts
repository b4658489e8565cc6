// panel.ts: the right side: the model and its parameters, the habits, what is shown, and the charts. Sliders are made
// from the tables that the models themselves carry; what differs from the default is marked, and can be read off as
// `--set` for the command line.

import type { App } from "./app";
import { gradient, groups } from "./colours";
import { figure, find, make, memory, say } from "./dom";
import { offered, type Under } from "./overlays";
import { densestShown, firstGroup, groupName, type ColourBy } from "./draw";
import type { Run } from "./run";
import type { Group, Model, Parameter, Value, Values } from "./types";

export class Panel {
  private settings = make("div", {});
  private show = make("div", {});
  readonly charts = make("div", { class: "charts" });
  private group = ""; // "": everybody
  private changed = new Map<string, { command: string; value: Value }>();
  private key = "";

  constructor(private app: App) {
    find("panel").append(
      this.section("Model", this.settings, true),
      this.section("Show", this.show, true),
      this.section("Charts", this.charts, memory.get("charts") !== "no"),
    );
    app.on("scene", (run) => run.index === 0 && this.renew());
    app.on("opened", (run) => app.quantity && this.colour(run));
    app.on("models", () => this.renew(true));
    app.on("shown", () => this.renewShow());
    app.on("frame", () => this.renewLegend());
    this.renew(true);
  }
  private section(title: string, content: HTMLElement, open: boolean): HTMLElement {
    return make("details", { class: "section", open, ontoggle: (e: Event) => title === "Charts" && memory.set("charts", (e.target as HTMLDetailsElement).open ? "yes" : "no") },
      make("summary", {}, title), content);
  }

  /** Makes the controls anew when model, group or scene are others; else only sets their values. */
  private renew(force = false) {
    const { scene } = this.app.run, key = `${scene?.name} ${scene?.model} ${this.group} ${scene?.groups?.map((g) => g.name + g.model)} ${scene?.quantities?.map((q) => q.name)}`;
    if (scene && this.key.split(" ")[0] !== scene.name) this.changed.clear();
    if (!force && key === this.key) return this.setValues();
    this.key = key;
    this.renewSettings();
    this.renewShow();
  }
  /** The group whose settings are shown, when it is not everybody. */
  private chosen(): Group | undefined {
    return this.group ? this.app.run.scene?.groups?.find((g) => g.name === this.group) : undefined;
  }
  private modelNow(): Model | undefined {
    const name = this.chosen()?.model ?? this.app.run.scene?.model;
    return this.app.models.find((m) => m.name === name);
  }
  private valuesNow(): Values {
    const scene = this.app.run.scene, own = this.chosen();
    return { ...scene?.settings?.params, ...scene?.settings?.habits, ...own?.params, ...own?.habits };
  }

  private renewSettings() {
    const { app } = this, scene = app.run.scene, model = this.modelNow();
    this.settings.replaceChildren();
    if (!scene) return void this.settings.append(make("p", { class: "faint" }, "Nothing runs yet."));
    if (!scene.live) return void this.settings.append(make("p", { class: "faint" }, `A recording${scene.model ? `, made with ${scene.model}` : ""}. It can be watched and measured; to change something, run its scenario.`));
    if ((scene.groups ?? []).filter((g) => g.name).length > 1) this.settings.append(this.groupChoice());
    const choice = make("select", { id: "model-choice", "aria-label": "Model", onchange: () => this.setModel(choice.value) },
      ...app.models.map((m) => make("option", { value: m.name, selected: m.name === model?.name }, m.name)));
    this.settings.append(choice);
    if (model) this.settings.append(make("p", { class: "faint small", title: model.citation ?? "" }, model.title));
    const values = this.valuesNow();
    const main = (model?.parameters ?? []).filter(known).map((p) => this.control(p, values, "params"));
    this.settings.append(...main.slice(0, 6));
    if (main.length > 6) this.settings.append(make("details", { class: "more" }, make("summary", {}, `${main.length - 6} more`), ...main.slice(6)));
    const habits = (model?.habits ?? []).filter((h) => known(h) && !model!.parameters.some((p) => p.name === h.name)).map((p) => this.control(p, values, "habits"));
    if (habits.length) this.settings.append(make("details", { class: "more", id: "habits", open: habits.some((h) => h.classList.contains("changed")) }, make("summary", {}, "Habits"), ...habits));
    this.settings.append(make("div", { class: "row" },
      make("button", { id: "copy-set", title: "Copies the command line that runs this with the same settings", onclick: () => this.copy() }, "Copy as command"),
      make("button", { onclick: () => this.resetAll() }, "Reset")));
  }
  private groupChoice(): HTMLElement {
    const names = this.app.run.scene!.groups!.map((g) => g.name);
    const choice = make("select", { "aria-label": "Whose model", onchange: () => ((this.group = choice.value), this.renew(true)) },
      make("option", { value: "" }, "everybody"), ...names.filter(Boolean).slice(0, 40).map((n) => make("option", { value: n, selected: n === this.group }, n)));
    return choice;
  }
  setModel(name: string) {
    const { app } = this, scene = app.run.scene;
    if (!scene) return;
    const before = this.modelNow()?.name ?? scene.model, group = this.group || undefined;
    for (const key of [...this.changed.keys()]) if (this.changed.get(key)!.command.includes("params.")) this.changed.delete(key);
    app.change(`model ${name}`, { do: "model", name, group }, [{ do: "model", name: before, group }]);
    if (!group) this.changed.set("model", { command: `--model ${name}`, value: name });
  }
  nextModel() {
    const { models } = this.app, at = models.findIndex((m) => m.name === this.modelNow()?.name);
    if (!models.length || !this.app.run.scene?.live) return;
    const next = models[(at + 1) % models.length].name;
    this.setModel(next);
    say(`Model: ${next}`);
  }

  private control(p: Parameter, values: Values, where: "params" | "habits"): HTMLElement {
    const value = values[p.name] ?? p.default, send = (v: Value) => this.set(p, v, where);
    const name = p.name.replaceAll("_", " ");
    let input: HTMLElement;
    if (p.kind === "bool") input = make("input", { type: "checkbox", checked: value === true, "aria-label": name, onchange: (e: Event) => send((e.target as HTMLInputElement).checked) });
    else if (p.kind === "choice")
      input = make("select", { "aria-label": name, onchange: (e: Event) => send((e.target as HTMLSelectElement).value) }, ...p.words.map((w) => make("option", { value: w, selected: w === value }, w)));
    else return this.slider(p, Number(value), send, name);
    const box = make("label", { class: "control plain", title: this.help(p), "data-name": p.name }, make("span", { class: "name" }, name), input);
    box.classList.toggle("changed", value !== p.default);
    box.ondblclick = () => send(p.default);
    return box;
  }
  private help(p: Parameter): string {
    return `${p.help}\nDefault ${p.default}${p.unit ? ` ${p.unit}` : ""}${p.source ? ` (${p.source})` : ""}. Double click resets.`;
  }
  /** A slider is even in the value, or, where the range spans many powers of ten, in its logarithm. */
  private slider(p: Parameter, value: number, send: (v: Value) => void, name: string): HTMLElement {
    const low = p.low ?? 0, standard = Number(p.default), high = usefulHigh(p, value);
    const log = low > 0 && high / low > 300;
    const toPart = (v: number) => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low));
    const toValue = (t: number) => {
      const v = log ? low * (high / low) ** t : low + t * (high - low);
      return p.kind === "whole" ? Math.round(v) : Number(v.toPrecision(3));
    };
    const range = make("input", { type: "range", min: "0", max: "1", step: "0.002", "aria-label": name, value: String(toPart(value)) });
    const number = make("input", { type: "text", inputMode: "decimal", class: "number", "aria-label": `${name}, typed`, value: figure(value).replaceAll(",", "") });
    const box = make("div", { class: "control", title: this.help(p), "data-name": p.name },
      make("span", { class: "name" }, name), number, make("span", { class: "unit" }, p.unit), make("span", { class: "track" }, range, make("i", { class: "default", style: `left: calc(7px + ${toPart(standard)} * (100% - 14px))` })));
    const show = (v: number) => {
      range.value = String(toPart(v));
      range.style.setProperty("--part", String(Math.min(1, Math.max(0, toPart(v)))));
      range.setAttribute("aria-valuetext", `${v} ${p.unit}`);
      if (document.activeElement !== number) number.value = figure(v).replaceAll(",", "");
      box.classList.toggle("changed", Math.abs(v - standard) > 1e-9 * Math.max(1, Math.abs(standard)));
    };
    show(value);
    let timer = 0, last = value;
    const change = (v: number) => {
      if (v === last) return;
      last = v;
      show(v);
      clearTimeout(timer);
      timer = window.setTimeout(() => send(v), 60);
    };
    range.oninput = () => {
      let v = toValue(Number(range.value));
      if (Math.abs(toPart(v) - toPart(standard)) < 0.015) v = standard;
      change(v);
    };
    number.onchange = () => {
      const v = Number(number.value.replace(",", "."));
      if (!Number.isFinite(v) || (p.low !== null && v < p.low) || (p.high !== null && v > p.high)) {
        say(`${name} is from ${p.low} to ${p.high}.`, "fault");
        number.value = figure(last);
      } else change(v);
    };
    box.ondblclick = (e) => e.target !== number && change(standard);
    (box as unknown as { show(v: Value): void }).show = (v) => Number(v) !== last && document.activeElement !== range && (last = Number(v), show(last));
    return box;
  }
  private setValues() {
    const values = this.valuesNow();
    for (const box of this.settings.querySelectorAll<HTMLElement>("[data-name]")) {
      const v = values[box.dataset.name!];
      if (v !== undefined) (box as unknown as { show?(v: Value): void }).show?.(v);
    }
  }
  private set(p: Parameter, value: Value, where: "params" | "habits") {
    const { app } = this, group = this.group || undefined, before = this.valuesNow()[p.name] ?? p.default;
    app.change(`${p.name} ${value}`, { do: "set", group, param: p.name, value }, [{ do: "set", group, param: p.name, value: before }]);
    const known = this.app.run.scene?.settings;
    if (known && !group) (known[where] ??= {})[p.name] = value;
    const path = `model.params.${p.name}`; // habits, too
    if (value === p.default) this.changed.delete(path);
    else if (!group) this.changed.set(path, { command: `--set ${path}=${value}`, value });
  }
  command(): string {
    const scene = this.app.run.scene;
    return ["throng run", scene?.name ?? "", ...[...this.changed.values()].map((c) => c.command), scene?.seed !== undefined && scene.seed !== 1 ? `--seed ${scene.seed}` : ""].filter(Boolean).join(" ");
  }
  settingsChanged(): string[] {
    return [...this.changed.values()].map((c) => c.command).filter((c) => c.startsWith("--set ")).map((c) => c.slice(6));
  }
  private async copy() {
    const text = this.command();
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied: ${text}`);
    } catch {
      say(text);
    }
  }
  private resetAll() {
    const model = this.modelNow(), values = this.valuesNow();
    for (const [where, list] of [["params", model?.parameters], ["habits", model?.habits]] as const)
      for (const p of list ?? []) if (values[p.name] !== undefined && values[p.name] !== p.default) this.set(p, p.default, where);
    this.renew(true);
  }

  // ---- what is shown

  private renewShow() {
    const { app } = this, { shown } = app, scene = app.run.scene;
    const options: [string, string][] = [["group", "group"], ["speed", "speed"], ["model", "model"], ...(scene?.quantities ?? []).map((q): [string, string] => [`q:${q.name}`, q.name.replaceAll("_", " ")])];
    const now = shown.by === "value" ? `q:${app.quantity}` : shown.by;
    const choice = make("select", { id: "colour-choice", "aria-label": "Colour by", onchange: () => this.colourBy(choice.value) }, ...options.map(([v, t]) => make("option", { value: v, selected: v === now }, t)));
    const box = (key: "density" | "speedMap" | "trails" | "arrows", text: string, hot: string) =>
      make("label", { class: "control plain" }, make("span", { class: "name" }, text, make("kbd", {}, hot)), make("input", { type: "checkbox", checked: shown[key], onchange: () => app.show({ [key]: !shown[key] }) }));
    this.show.replaceChildren(
      make("label", { class: "control plain" }, make("span", { class: "name" }, "people by"), choice),
      box("density", "density map", "D"), box("speedMap", "speed map", "O"), box("arrows", "velocity arrows", "V"), box("trails", "trails", "T"));
    this.show.append(...this.overlayControls());
    this.renewLegend(true);
  }
  /** Those that the models of the scene have something for. */
  private overlayControls(): HTMLElement[] {
    const { app } = this, can = offered(app.run.scene), { overlays } = app, out: HTMLElement[] = [];
    const names: Record<Under, string> = { none: "", spaces: "personal spaces", cells: "pressure by cell" };
    const box = (id: string, text: string, on: boolean, act: () => void) =>
      make("label", { class: "control plain" }, make("span", { class: "name" }, text), make("input", { type: "checkbox", id, checked: on, onchange: act }));
    for (const under of can.under) out.push(box(`show-${under}`, names[under], overlays.under === under, () => overlays.set({ under: overlays.under === under ? "none" : under })));
    if (can.forces) out.push(box("show-forces", "contact forces", overlays.forces, () => overlays.set({ forces: !overlays.forces })));
    if (can.goals.length) {
      const choice = make("select", { id: "field-choice", "aria-label": "Ways to", onchange: () => overlays.set({ goal: choice.value }) },
        make("option", { value: "" }, "–"), ...can.goals.map((g) => make("option", { value: g, selected: g === overlays.goal }, g)));
      out.push(make("label", { class: "control plain" }, make("span", { class: "name" }, "ways to"), choice));
    }
    return out;
  }
  colourBy(what: string) {
    const { app } = this;
    app.quantity = what.startsWith("q:") ? what.slice(2) : undefined;
    app.runs.forEach((run) => this.colour(run));
    app.show({ by: (app.quantity ? "value" : what) as ColourBy });
  }
  /** Tells a run what its frames have to have; one that lacks it is coloured by speed. */
  private colour(run: Run) {
    const { app } = this, has = run.scene?.quantities?.some((q) => q.name === app.quantity);
    if (run.scene && (has || !app.quantity)) app.send({ do: "colour", run: run.index, quantity: app.quantity ?? null });
    else if (run.index === 0 && run.scene) this.colourBy("speed");
  }
  private legendKey = "";
  /** What the colours mean, at the foot of the picture. */
  private renewLegend(force = false) {
    const { app } = this, { shown } = app, { scene, frame } = app.run, parts: HTMLElement[] = [];
    const bar = (name: string, low: string, high: string, colours: string) =>
      make("span", { class: "scale" }, make("b", {}, name), low, make("i", { style: `background:${colours}` }), high);
    const plain = app.overlays.under !== "none"; // people are outlines then
    if (shown.by === "speed" && !plain) parts.push(bar("speed", "0", `${shown.fullSpeed} m/s`, gradient("viridis")));
    else if (shown.by === "value" && !plain) {
      const unit = scene?.quantities?.find((q) => q.name === app.quantity)?.unit ?? "", name = (app.quantity ?? "").replaceAll("_", " ");
      if (frame?.value?.every((v) => v === 255)) parts.push(make("span", { class: "chip" }, make("i", { style: "background:#999999" }), `${name}: not known of anybody here`));
      else parts.push(bar(name, figure(frame?.low, 2), `${figure(frame?.high, 2)} ${unit}`, gradient("viridis")));
    } else if (!plain) {
      const names = shown.by === "group" ? (scene?.groups ?? []).map((g) => g.name) : scene?.models ?? [];
      const used = new Set<number>();
      for (let i = 0; i < app.run.n; i += Math.max(1, Math.floor(app.run.n / 5000))) used.add(shown.by === "group" ? frame!.group[i] : frame!.model[i]);
      for (const [i, name] of names.entries()) if (used.has(i) && parts.length < 8) parts.push(make("span", { class: "chip" }, make("i", { style: `background:${groups[Math.max(0, i - (shown.by === "group" ? firstGroup(app.run) : 0)) % 8]}` }), groupName(name)));
    }
    if (shown.density) parts.push(bar("density", "0", `${densestShown} /m²`, gradient("cividis", shown.theme === "light")));
    else if (shown.speedMap) parts.push(bar("mean speed", "0", `${shown.fullSpeed} m/s`, gradient("viridis")));
    parts.push(...app.overlays.legend(bar, gradient("viridis")));
    const key = parts.map((p) => p.outerHTML).join();
    if (key === this.legendKey && !force) return;
    this.legendKey = key;
    find("legend").replaceChildren(...parts);
  }
}

/** The upper end of a slider: that of the table, unless it is out of all proportion to the default. */
function usefulHigh(p: Parameter, value: number): number {
  const standard = Math.abs(Number(p.default)), high = p.high ?? Math.max(1, 4 * standard);
  if ((p.low ?? 0) > 0 && high / (p.low ?? 1) > 300) return high;
  return Math.max(value, standard > 0 && high > 20 * standard ? 6 * standard : high);
}

/** Maps from words to numbers have no control. */
const known = (p: Parameter) => ["number", "whole", "bool", "choice"].includes(p.kind);
