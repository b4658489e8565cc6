// Runs scenes in the WebAssembly module and prints their digests: node digests.mjs MODULE SCENE SECONDS ...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [, , path, ...runs] = process.argv;
const wasi = new WASI({ version: "preview1" });
const module = await WebAssembly.compile(readFileSync(path));
const told = [];
const page = { take: (kind, number, at, length) => kind === 0 && told.push(JSON.parse(Buffer.from(web.memory.buffer, at, length))) };
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport, page });
wasi.initialize(instance);
const web = instance.exports;
web.web_begin();

function command(what) {
  const bytes = new TextEncoder().encode(JSON.stringify(what)), at = web.web_allocate(bytes.length);
  new Uint8Array(web.memory.buffer, at, bytes.length).set(bytes);
  web.web_command(at, bytes.length);
  web.web_release(at);
  web.web_turn(0, 0);
}

function digest() {
  const at = web.web_digest(), bytes = Buffer.from(web.memory.buffer);
  return bytes.subarray(at, bytes.indexOf(0, at)).toString();
}

for (let i = 0; i < runs.length; i += 2) {
  told.length = 0;
  command({ do: "open", scene: runs[i], paused: true });
  web.web_run(Number(runs[i + 1]));
  const fault = told.find((t) => t.type === "error");
  console.log(runs[i], fault ? `refused: ${fault.message}` : digest());
}
