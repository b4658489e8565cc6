// Runs scenes in the WebAssembly module and prints their digests: node digests.mjs MODULE SCENE SECONDS ...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [, , path, ...runs] = process.argv;
const wasi = new WASI({ version: "preview1" });
const module = await WebAssembly.compile(readFileSync(path));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
wasi.initialize(instance);
const web = instance.exports;

function read(at) {
  const bytes = new Uint8Array(web.memory.buffer);
  return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
}

function write(text) {
  const bytes = new TextEncoder().encode(text + "\0");
  const at = web.web_allocate(bytes.length);
  new Uint8Array(web.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

for (let i = 0; i < runs.length; i += 2) {
  const name = write(runs[i]);
  const opened = web.web_open(name, 0);
  if (opened) web.web_run(Number(runs[i + 1]));
  console.log(runs[i], opened ? read(web.web_digest()) : "refused: " + read(web.web_said()).split("\n")[0]);
  web.web_release(name);
}
