// scenario_text.ts: a scenario's text as a tree that knows where in the text each value stands, and changes of the text in
// place: comments, order and everything the page does not know stay as they are. Reads JSON with line comments and
// trailing commas, as Throng does.

import type { Point } from "./types";

export interface Node {
  kind: "object" | "array" | "string" | "number" | "word";
  start: number;
  end: number;
  value?: string | number | boolean | null;
  items: Node[];
  entries: { key: string; start: number; node: Node }[];
}

export class TextFault extends Error {
  constructor(message: string, readonly at: number) {
    super(message);
  }
}

export function parse(text: string): Node {
  let at = 0;
  const skip = () => {
    for (;;) {
      while (at < text.length && /\s/.test(text[at])) at++;
      if (!text.startsWith("//", at)) return;
      while (at < text.length && text[at] !== "\n") at++;
    }
  };
  const expect = (c: string) => {
    skip();
    if (text[at] !== c) throw new TextFault(`expected '${c}'`, at);
    at++;
  };
  const string = (): string => {
    const start = at++;
    while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
    if (text[at] !== '"') throw new TextFault("a text without its end", start);
    at++;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      throw new TextFault("a text that is not well written", start);
    }
  };
  const value = (depth: number): Node => {
    skip();
    if (depth > 60) throw new TextFault("too deep", at);
    const start = at, node = (kind: Node["kind"]): Node => ({ kind, start, end: at, items: [], entries: [] });
    const c = text[at];
    if (c === "{" || c === "[") {
      const made = node(c === "{" ? "object" : "array"), last = c === "{" ? "}" : "]";
      at++;
      for (;;) {
        skip();
        if (text[at] === last) break;
        if (c === "{") {
          const keyAt = at;
          if (text[at] !== '"') throw new TextFault("expected a key in quotes", at);
          const key = string();
          expect(":");
          made.entries.push({ key, start: keyAt, node: value(depth + 1) });
        } else made.items.push(value(depth + 1));
        skip();
        if (text[at] === ",") at++;
        else if (text[at] !== last) throw new TextFault(`expected ',' or '${last}'`, at);
      }
      at++;
      made.end = at;
      return made;
    }
    if (c === '"') {
      const v = string();
      return { ...node("string"), value: v };
    }
    const word = /^[-+\w.]+/.exec(text.slice(at, at + 60))?.[0];
    if (!word) throw new TextFault("expected a value", at);
    at += word.length;
    if (word === "true" || word === "false" || word === "null") return { ...node("word"), value: word === "null" ? null : word === "true" };
    const number = Number(word);
    if (!Number.isFinite(number)) throw new TextFault(`'${word}' is no number`, start);
    return { ...node("number"), value: number };
  };
  const root = value(0);
  skip();
  if (at < text.length) throw new TextFault("something after the end", at);
  return root;
}

export function get(node: Node | undefined, ...path: (string | number)[]): Node | undefined {
  for (const step of path) node = typeof step === "number" ? node?.items[step] : node?.entries.find((e) => e.key === step)?.node;
  return node;
}
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === "string" ? (node.value as string) : undefined;
}
export function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === "number" ? (node.value as number) : undefined;
}
export function pointOf(node: Node | undefined): Point | undefined {
  const x = numberOf(node?.items[0]), y = numberOf(node?.items[1]);
  return x !== undefined && y !== undefined && node!.items.length === 2 ? [x, y] : undefined;
}
/** A list of points, or undefined when it is something else. */
export function ringIn(node: Node | undefined): Point[] | undefined {
  if (node?.kind !== "array" || !node.items.length) return undefined;
  const points = node.items.map(pointOf);
  return points.every((p) => p) ? (points as Point[]) : undefined;
}

const short = (v: number) => String(Number(v.toFixed(3)));
export const writePoint = (p: Point) => `[${short(p[0])}, ${short(p[1])}]`;
export const writeRing = (ring: Point[]) => `[${ring.map(writePoint).join(", ")}]`;

export function replace(text: string, node: Node, by: string): string {
  return text.slice(0, node.start) + by + text.slice(node.end);
}

/** Where the last thing within brackets ends: an item, its comma, or a comment behind it. */
function contentEnd(text: string, node: Node): number {
  let at = node.end - 1;
  while (at > node.start + 1 && /\s/.test(text[at - 1])) at--;
  return at;
}
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))![0];
}

/** Adds something at the end of a list or object, laid out like what is there. */
function append(text: string, node: Node, what: string): string {
  const children = node.kind === "object" ? node.entries.map((e) => ({ start: e.start, end: e.node.end })) : node.items;
  const outer = indentAt(text, node.start), end = contentEnd(text, node), last = children[children.length - 1];
  if (!last) return `${text.slice(0, node.start + 1)}${text.slice(node.start + 1, end).trimEnd()}\n${outer}  ${what}\n${outer}${text.slice(node.end - 1)}`;
  const between = text.slice(last.end, end), comma = /^(\s|\/\/[^\n]*\n)*,/.test(between) ? "" : ",";
  const inLine = !text.slice(node.start, node.end).includes("\n");
  if (inLine) return `${text.slice(0, last.end)}${comma}${between} ${what}${text.slice(end)}`;
  const inner = text.slice(0, children[0].start).endsWith("\n" + indentAt(text, children[0].start)) ? indentAt(text, children[0].start) : outer + "  ";
  return `${text.slice(0, last.end)}${comma}${between}\n${inner}${what}${text.slice(end)}`;
}
export const addItem = (text: string, list: Node, item: string) => append(text, list, item);
export const addEntry = (text: string, object: Node, key: string, value: string) => append(text, object, `${JSON.stringify(key)}: ${value}`);

/** Takes a part out, with its comma and, where it stood alone in its lines, those lines. */
export function removePart(text: string, start: number, end: number): string {
  let to = end, from = start;
  const after = /^\s*,/.exec(text.slice(to));
  if (after) to += after[0].length;
  else {
    const before = /,\s*$/.exec(text.slice(0, from));
    if (before) from -= before[0].length;
  }
  const line = /(^|\n)[ \t]*$/.exec(text.slice(0, from));
  const rest = /^[ \t]*(\/\/[^\n]*)?\n/.exec(text.slice(to));
  if (line && rest) return text.slice(0, from - line[0].length + line[1].length) + text.slice(to + rest[0].length);
  return text.slice(0, from) + text.slice(to).replace(/^ /, "");
}

/** Sets a key of an object: changes its value, or adds it. */
export function setKey(text: string, object: Node, key: string, value: string): string {
  const known = get(object, key);
  return known ? replace(text, known, value) : append(text, object, `${JSON.stringify(key)}: ${value}`);
}

/** Line and column of a place in the text, from 1. */
export function lineOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before[before.length - 1].length + 1 };
}
