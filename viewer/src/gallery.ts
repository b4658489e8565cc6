// gallery.ts: every built-in scene as a card with a picture, grouped by paper and figure; one click runs it. Without
// anything to show, the page begins here.

import type { App } from "./app";
import { Camera } from "./camera";
import type { Theme } from "./colours";
import { find, icon, make, memory, whole } from "./dom";
import { paintPlainly } from "./draw";
import { drawGround, drawThings } from "./ground";
import { Run } from "./run";
import { decodeFrame } from "./stream";
import type { Card, Scene } from "./types";

/** A moment of a scene, which a card has a picture of. */
interface Moment {
  canvas: HTMLCanvasElement;
  run: Run;
}

export class Gallery {
  private box = find("gallery");
  private list = make("div", { class: "cards-list" });
  private search = make("input", { type: "search", placeholder: "Search scenes", id: "gallery-search", "aria-label": "Search scenes" });
  private auto = 0;
  private fetching = false;
  private wanted: HTMLCanvasElement[] = [];
  private moments = new Map<string, Moment>();
  private seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      this.seen.unobserve(entry.target);
      this.wanted.push(entry.target as HTMLCanvasElement);
    }
    this.fetchNext();
  });
  onOpen: (card: Card) => void = () => undefined;

  constructor(private app: App) {
    this.search.oninput = () => this.fill();
    app.on("opened", () => this.auto && this.close()); // somebody else has opened something meanwhile
    let theme = app.shown.theme;
    app.on("shown", () => {
      if (theme !== app.shown.theme) this.moments.forEach((m) => paintMoment(m, app.shown.theme));
      theme = app.shown.theme;
    });
    this.search.onkeydown = (e) => {
      if (e.key === "Enter") this.list.querySelector<HTMLButtonElement>("button.card")?.click();
    };
    this.box.append(
      make("div", { class: "gallery-head" }, make("h1", {}, "Gallery"), this.search, make("span", { class: "grow" }),
        make("span", { class: "faint small", id: "auto-note" }), make("button", { class: "quiet", onclick: () => this.close(), title: "Close (Esc)" }, "Close")),
      this.list);
    this.box.addEventListener("pointerdown", () => this.stopAuto());
    this.box.addEventListener("keydown", () => this.stopAuto());
  }
  get open() {
    return !this.box.hidden;
  }
  show(auto = false) {
    this.box.hidden = false;
    this.fill();
    if (!auto) this.search.focus();
    if (auto && this.app.cards.length) this.startAuto();
  }
  close() {
    this.stopAuto();
    this.box.hidden = true;
    this.wanted = [];
    find("stage").focus({ preventScroll: true });
  }
  /** The first card runs on its own after two seconds, unless somebody has begun to choose. */
  private startAuto() {
    const note = find("auto-note");
    note.textContent = `${titleOf(this.ordered()[0][1][0])} starts in a moment …`;
    this.auto = window.setTimeout(() => this.run(this.ordered()[0][1][0]), 2000);
    window.addEventListener("wheel", () => this.stopAuto(), { once: true });
  }
  private stopAuto() {
    clearTimeout(this.auto);
    this.auto = 0;
    find("auto-note").textContent = "";
  }
  private run(card: Card) {
    this.close();
    this.onOpen(card);
    this.app.open({ scene: card.name });
  }
  private ordered(): [string, Card[]][] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean), by = new Map<string, Card[]>();
    for (const card of this.app.cards) {
      const all = `${card.name} ${card.title ?? ""} ${card.group ?? ""} ${card.label ?? ""} ${card.description ?? ""} ${card.model ?? ""}`.toLowerCase();
      if (!words.every((w) => all.includes(w))) continue;
      const group = card.group ?? card.name.split("/")[0];
      by.set(group, [...(by.get(group) ?? []), card]);
    }
    return [...by.entries()];
  }
  private fill() {
    const sections = this.ordered().map(([group, cards]) =>
      make("section", {}, make("h2", {}, group), make("div", { class: "cards" }, ...cards.map((card) => this.card(card)))));
    this.list.replaceChildren(...(sections.length ? sections : [make("p", { class: "faint" }, this.app.cards.length ? "No scene has all these words." : "The server has told of no scenes.")]));
  }
  /** A moment is reached by running the scene, so those in sight are asked for, one after the other, while the gallery is open: small crowds first, which are soon there. */
  private async fetchNext(): Promise<void> {
    this.wanted = this.wanted.filter((canvas) => canvas.isConnected);
    if (this.fetching || !this.open || !this.wanted.length) return;
    const effort = (canvas: HTMLCanvasElement) => Number(canvas.dataset.people) * (inSight(canvas) ? 1 : 1e6);
    const canvas = this.wanted.reduce((best, one) => (effort(best) <= effort(one) ? best : one)), name = canvas.dataset.of!;
    this.wanted.splice(this.wanted.indexOf(canvas), 1);
    this.fetching = true;
    try {
      const run = readMoment(await this.app.link.moment(name)!), moment = { canvas, run };
      this.moments.set(name, moment);
      paintMoment(moment, this.app.shown.theme);
    } catch {
      canvas.replaceWith(make("span", { class: "no-picture" }, icon("crowd")));
    }
    this.fetching = false;
    return this.fetchNext();
  }
  /** The picture of a scene, as it was when it is known. */
  private picture(card: Card): HTMLElement | undefined {
    const known = this.moments.get(card.name);
    if (known) return known.canvas;
    if (!this.app.link.hasMoments) return undefined;
    const canvas = make("canvas", { "data-of": card.name, "data-people": String(1 + (card.people ?? 0)) });
    this.seen.observe(canvas);
    return canvas;
  }
  private card(card: Card): HTMLElement {
    const title = titleOf(card), more = card.description?.toLowerCase().startsWith(title.toLowerCase()) ? card.description.slice(title.length).replace(/^ *\(|\)$/g, "") : card.description ?? "";
    return make("button", { class: "card", "data-scene": card.name, title: `${card.label ?? card.name}\n${card.name}`, onclick: () => this.run(card) },
      this.picture(card), card.figure ? make("span", { class: "figure" }, card.figure) : "", make("b", {}, title),
      more ? make("span", { class: "small" }, more) : "",
      make("span", { class: "faint small" }, [card.people ? `${whole(card.people)} ${card.people === 1 ? "person" : "people"}` : "", card.model].filter(Boolean).join(" · ")));
  }
}

/** The scene and a frame, each after its length. */
function readMoment(bytes: ArrayBuffer): Run {
  const view = new DataView(bytes), length = view.getUint32(0, true), run = new Run(0);
  run.setScene(JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Scene);
  run.take(decodeFrame(bytes.slice(8 + length)), 0);
  return run;
}

/** Draws it as wide as a card, with the whole place in it. */
function paintMoment({ canvas, run }: Moment, theme: Theme) {
  const ratio = Math.min(2, window.devicePixelRatio || 1), w = 300, h = (w * 10) / 16, pane = { x: 0, y: 0, w, h }, camera = new Camera(), ink = canvas.getContext("2d")!;
  const [x0, y0, x1, y1] = run.scene!.bounds, margin = 8, frame = run.frame!;
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  Object.assign(camera, { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min((w - 2 * margin) / Math.max(1e-3, x1 - x0), (h - 2 * margin) / Math.max(1e-3, y1 - y0)) });
  ink.scale(ratio, ratio);
  drawGround(ink, run.scene!, camera, pane, theme);
  const named = new Set(frame.group).size > 1;
  paintPlainly(ink, run, camera, pane, { by: named ? "group" : "speed", fullSpeed: 1.6, density: false, speedMap: false, trails: false, arrows: false, theme }, Infinity);
  drawThings(ink, run.scene!.things ?? [], frame.things.map((t) => ({ ...t, x: t.x / 1000 + frame.originX, y: t.y / 1000 + frame.originY })), camera, pane, theme);
}

function inSight(canvas: HTMLElement): boolean {
  const box = canvas.getBoundingClientRect();
  return box.bottom > 0 && box.top < window.innerHeight;
}

/** With a capital letter. */
function titleOf(card: Card): string {
  const title = card.title || card.name.split("/").pop()!;
  return title[0].toUpperCase() + title.slice(1);
}

const hints = [
  "Drag to move the picture, turn the wheel to zoom to the cursor, press 0 to see all.",
  "Click a person, a door, a wall or a line: it tells what it is and what you can do with it.",
  "At the right: another model, its parameters, colours and maps, all while it runs.",
  "Space pauses, + and − change the speed, M takes the next model, B throws a ball.",
  "Gallery, drawing and comparing are at the left. ? shows all keys.",
];

/** Five short sentences, one after the other; dismissed for good with the cross. */
export function firstMinute(force = false) {
  if (!force && memory.get("hints") === "seen") return;
  const box = find("hint");
  let at = 0;
  const done = () => {
    box.hidden = true;
    memory.set("hints", "seen");
  };
  const show = () => {
    box.hidden = false;
    box.replaceChildren(make("span", { class: "faint" }, `${at + 1} of ${hints.length}`), make("span", {}, hints[at]),
      make("button", { onclick: () => (++at < hints.length ? show() : done()) }, at + 1 < hints.length ? "Next" : "Done"),
      make("button", { class: "quiet", title: "Do not show again", "aria-label": "Do not show again", onclick: done }, "×"));
  };
  show();
}
