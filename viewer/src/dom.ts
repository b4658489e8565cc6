// dom.ts: makes elements, and says numbers the way people read them.

type Child = Node | string | undefined | false;
type Properties = Record<string, unknown> & { class?: string; style?: string };

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name in element && name !== "style" && name !== "list") (element as unknown as Record<string, unknown>)[name] = value;
    else element.setAttribute(name === "class" ? "class" : name, value === true ? "" : String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== undefined && c !== false));
  return element;
}

export const find = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

const shapes: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M6 5v14l9-7zM16 5h2.5v14H16z",
  restart: "M12 5V1.8L7.5 6 12 10.2V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  undo: "M9 5 4 10l5 5v-3.5h5a3.5 3.5 0 0 1 0 7h-4v2h4a5.5 5.5 0 0 0 0-11H9z",
  dice: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm1 2v12h12V6zM8.5 7.3a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4zm7 7a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4zM12 10.8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4z",
  gallery: "M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm9 0h7v7h-7z",
  draw: "M4 16.5 15.2 5.3a1.6 1.6 0 0 1 2.3 0l1.2 1.2a1.6 1.6 0 0 1 0 2.3L7.5 20H4zm2 .8V18h.7L14.8 9.9l-.7-.7z",
  compare: "M4 5h7v14H4zm2 2v10h3V7zm7-2h7v14h-7zm2 2v10h3V7z",
  fit: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  picture: "M8.5 5 10 3h4l1.5 2H20v15H4V5zM6 7v11h12V7h-3.5L13 5h-2L9.5 7zm6 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zm0 2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm-1 10.5h2v2h-2zM12 7c2 0 3.2 1.2 3.2 2.8 0 2.2-2.2 2.3-2.2 4.2h-2c0-3 2.1-3.2 2.1-4.2 0-.6-.4-1-1.1-1s-1.2.5-1.2 1.3h-2C8.8 8.2 10.1 7 12 7z",
  film: "M4 6h11v4l5-3v10l-5-3v4H4zm2 2v8h7V8z",
  link: "M10.6 13.4a1 1 0 0 0 1.4 0l4.9-4.9a2 2 0 0 0-2.8-2.8l-2 2-1.4-1.4 2-2a4 4 0 0 1 5.6 5.6l-4.9 4.9a3 3 0 0 1-4.2 0zm2.8-2.8a1 1 0 0 0-1.4 0l-4.9 4.9a2 2 0 0 0 2.8 2.8l2-2 1.4 1.4-2 2a4 4 0 0 1-5.6-5.6l4.9-4.9a3 3 0 0 1 4.2 0z",
  panel: "M4 5h16v14H4zm2 2v10h7V7zm9 0v10h3V7z",
  ball: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 2a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
  crowd: "M8 6a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zm8 0a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zm-4 7a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shapes[name] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** 1:02.5, with tenths. */
export function clock(seconds: number): string {
  const t = Math.max(0, seconds), m = Math.floor((t + 0.05) / 60), s = t - 60 * m;
  return m >= 60 ? `${Math.floor(m / 60)}:${String(m % 60).padStart(2, "0")}:${Math.max(0, s).toFixed(0).padStart(2, "0")}` : `${m}:${Math.max(0, s).toFixed(1).padStart(4, "0")}`;
}
/** A number with as many digits as it needs, at most three that matter. */
export function figure(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return String(Number(value.toPrecision(digits)).toExponential());
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(digits)));
}
export const whole = (n: number | undefined) => (n === undefined ? "–" : n.toLocaleString("en"));

let toastTimer = 0;
/** One sentence at the foot of the picture that goes away by itself. */
export function say(text: string, kind: "note" | "fault" = "note") {
  const box = find("toast");
  box.textContent = text;
  box.className = `toast shown ${kind}`;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => (box.className = "toast"), kind === "fault" ? 7000 : 3200);
}

/** Keeps a choice from one visit to the next, where the browser allows it. */
export const memory = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(`throng.${key}`);
    } catch {
      return null;
    }
  },
  set(key: string, value: string) {
    try {
      localStorage.setItem(`throng.${key}`, value);
    } catch {
      /* a page from a file may not keep anything */
    }
  },
};
