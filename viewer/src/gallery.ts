// gallery.ts: every built-in scene as a card with a picture, grouped by paper and figure; one click runs it. Without
// anything to show, the page begins here.

import type { App } from "./app";
import { find, icon, make, memory, whole } from "./dom";
import type { Card } from "./types";

export class Gallery {
  private box = find("gallery");
  private list = make("div", { class: "cards-list" });
  private search = make("input", { type: "search", placeholder: "Search scenes", id: "gallery-search", "aria-label": "Search scenes" });
  private auto = 0;
  private fetching = 0;
  private wanted: HTMLImageElement[] = [];
  private seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      this.seen.unobserve(entry.target);
      this.wanted.push(entry.target as HTMLImageElement);
    }
    this.fetchNext();
  });
  onOpen: (card: Card) => void = () => undefined;

  constructor(private app: App) {
    this.search.oninput = () => this.fill();
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
  /** The server draws each picture when it is asked for the first time, so those in sight are asked for, one after the other, while the gallery is open: small crowds first, which are soon drawn. */
  private fetchNext() {
    while (this.fetching < 1 && this.open) {
      this.wanted = this.wanted.filter((image) => image.isConnected && !image.src);
      const effort = (image: HTMLImageElement) => Number(image.dataset.people) * (inSight(image) ? 1 : 1e6);
      const image = this.wanted.reduce<HTMLImageElement | undefined>((best, one) => (best && effort(best) <= effort(one) ? best : one), undefined);
      if (!image) return;
      this.wanted.splice(this.wanted.indexOf(image), 1);
      this.fetching++;
      const done = () => {
        this.fetching--;
        this.fetchNext();
      };
      image.onload = done;
      image.onerror = () => {
        image.replaceWith(make("span", { class: "no-picture" }, icon("crowd")));
        done();
      };
      image.src = image.dataset.src!;
    }
  }
  private card(card: Card): HTMLElement {
    const picture = this.app.link.picture(card.name);
    const image = picture ? make("img", { alt: "", decoding: "async", "data-src": picture, "data-people": String(1 + (card.people ?? 0)) }) : undefined;
    if (image) this.seen.observe(image);
    const title = titleOf(card), more = card.description?.toLowerCase().startsWith(title.toLowerCase()) ? card.description.slice(title.length).replace(/^ *\(|\)$/g, "") : card.description ?? "";
    return make("button", { class: "card", "data-scene": card.name, title: `${card.label ?? card.name}\n${card.name}`, onclick: () => this.run(card) },
      image, card.figure ? make("span", { class: "figure" }, card.figure) : "", make("b", {}, title),
      more ? make("span", { class: "small" }, more) : "",
      make("span", { class: "faint small" }, [card.people ? `${whole(card.people)} ${card.people === 1 ? "person" : "people"}` : "", card.model].filter(Boolean).join(" · ")));
  }
}

function inSight(image: HTMLImageElement): boolean {
  const box = image.getBoundingClientRect();
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
