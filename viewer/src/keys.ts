// keys.ts: the keyboard, and the list of all keys.

import { find, make } from "./dom";

export interface Key {
  keys: string[];
  text: string;
  act: (event: KeyboardEvent) => void;
}

export class Keys {
  constructor(private list: Key[]) {
    window.addEventListener("keydown", (event) => this.press(event));
  }
  private press(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.key !== "Escape" && target.closest("input:not([type=range]):not([type=checkbox]),textarea,select,[contenteditable]")) return;
    if (target.closest("input[type=range]") && event.key.startsWith("Arrow")) return;
    if (target.closest("button,summary") && (event.key === " " || event.key === "Enter")) return;
    const name = (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (event.altKey) return;
    const key = this.list.find((k) => k.keys.includes(name));
    if (!key) return;
    event.preventDefault();
    key.act(event);
  }
  help() {
    const names: Record<string, string> = { " ": "space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
    const dialog = find<HTMLDialogElement>("dialog");
    dialog.replaceChildren(
      make("h2", {}, "Keys"),
      make("dl", { class: "keys" }, ...this.list.map((k) => make("div", {}, make("dt", {}, make("kbd", {}, names[k.keys[0]] ?? k.keys[0].replace(/.$/, (c) => (k.keys[0].length === 1 || k.keys[0].includes("+") ? c.toUpperCase() : c)))), make("dd", {}, k.text)))),
      make("p", { class: "faint small" }, "Mouse: drag moves the picture, the wheel zooms to the cursor, a click asks what something is. A scenario, plan or recording dropped on the page is opened."),
      make("form", { method: "dialog" }, make("button", { autofocus: true }, "Close")));
    dialog.showModal();
  }
}
