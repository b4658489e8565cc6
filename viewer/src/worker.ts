// worker.ts: the library as a WebAssembly module in a thread of its own (viewer/wasm/web.c). It takes commands and
// questions as `throng view` would, and tells the page the same: texts, frames and answers.

import { files, system } from "./wasi";

interface Module extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  web_allocate(size: number): number;
  web_release(at: number): void;
  web_begin(): void;
  web_command(text: number, length: number): void;
  web_request(number: number, path: number, query: number, body: number): void;
  web_turn(ms: number, frames: number): number;
}
/** What the page says: the module once, then commands as JSON, questions, and that it has taken a frame. */
export type ToWorker = { module: ArrayBuffer; files: Record<string, Uint8Array> } | { command: string } | { question: number; path: string; query: string; body?: ArrayBuffer } | "taken";
/** What it is told: texts as JSON, frames, answers; a fault ends it. */
export type FromWorker = string | ArrayBuffer | { answer: number; status: number; body: ArrayBuffer } | { fault: string };

const TEXT = 0, FRAME = 1;
const turnMs = 10; // messages wait no longer than that
let web: Module;
let under = 0; // frames under way to the page
let timer = 0;
const again = new MessageChannel(); // a timer would wait 4 ms

const tell = (what: FromWorker, moved: Transferable[] = []) => (self as unknown as Worker).postMessage(what, moved);

function take(kind: number, number: number, at: number, length: number) {
  const bytes = web.memory.buffer.slice(at, at + length);
  if (kind === TEXT) return tell(new TextDecoder().decode(bytes));
  if (kind === FRAME) return under++, tell(bytes, [bytes]);
  tell({ answer: number - 1, status: kind, body: bytes }, [bytes]); // the page itself is client 1
}

/** Gives texts to a function, each with a 0 at its end. */
function withTexts(texts: string[], use: (...at: number[]) => void) {
  const at = texts.map((text) => {
    const bytes = new TextEncoder().encode(text + "\0"), place = web.web_allocate(bytes.length);
    new Uint8Array(web.memory.buffer, place, bytes.length).set(bytes);
    return place;
  });
  use(...at);
  at.forEach((place) => web.web_release(place));
}

function turn() {
  clearTimeout(timer);
  const wait = web.web_turn(turnMs, under === 0 ? 1 : 0);
  if (wait === 0) again.port2.postMessage(0);
  else if (wait > 0) timer = self.setTimeout(() => guarded(turn), wait);
}

async function begin(bytes: ArrayBuffer, given: Record<string, Uint8Array>) {
  for (const [name, content] of Object.entries(given)) files.set(name, content);
  const made = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: system(() => web.memory), page: { take } });
  web = made.instance.exports as Module;
  web._initialize();
  web.web_begin();
}

function ask(what: { question: number; path: string; query: string; body?: ArrayBuffer }) {
  const file = `sent/${new URLSearchParams(what.query).get("name")?.replace(/\.[^.]*$/, "")}`;
  if (what.body) {
    for (const name of files.keys()) if (name.startsWith("sent/")) files.delete(name); // they have been read
    files.set(file, new Uint8Array(what.body));
  }
  withTexts([what.path, what.query, `/${file}`], (path, query, body) => web.web_request(what.question, path, query, what.body ? body : 0));
}

function hear(what: ToWorker) {
  if (what === "taken") under--;
  else if ("command" in what) withTexts([what.command], (at) => web.web_command(at, new TextEncoder().encode(what.command).length));
  else if ("question" in what) ask(what);
  turn();
}

/** Does something; when the module breaks, the page hears why. */
function guarded(act: () => void | Promise<void>) {
  const end = (fault: Error) => {
    clearTimeout(timer);
    again.port1.onmessage = null;
    tell({ fault: fault.message });
  };
  try {
    act()?.catch(end);
  } catch (fault) {
    end(fault as Error);
  }
}

again.port1.onmessage = () => guarded(turn);
const early: ToWorker[] = []; // said before the module was ready
self.onmessage = (event: MessageEvent<ToWorker>) => {
  const what = event.data;
  if (what !== "taken" && "module" in what)
    guarded(async () => {
      await begin(what.module, what.files);
      early.splice(0).forEach(hear);
      turn();
    });
  else if (web) guarded(() => hear(what));
  else early.push(what);
};
