// bench.mjs: what `throng view` costs, measured from outside: node bench.mjs THRONG [CHROMIUM] [DIRECTORY] (make bench-view)
//
//   live, replay  100,000 people over loopback to a plain client: frames and bytes a second, and the CPU of each thread
//   seek          a .throng of 2 GB (or SIZE=bytes): from the command to the frame
//   page          in a browser: from the start of the program to the first picture, and ms of script a frame

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";

const [throng, browserPath, folder = tmpdir()] = process.argv.slice(2);
const only = process.env.ONLY?.split(","), seconds = Number(process.env.SECONDS ?? 10), size = Number(process.env.SIZE ?? 2e9);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];
const spread = (list, unit) => `median ${quantile(list, 0.5).toFixed(1)}, 95 % ${quantile(list, 0.95).toFixed(1)}, most ${Math.max(...list).toFixed(1)} ${unit}`;

async function serve(...what) {
  const began = performance.now(), program = spawn(throng, ["view", "--no-open", "--quiet", ...what], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => program.kill());
  const line = await new Promise((resolve) => program.stdout.once("data", (text) => resolve(String(text).trim())));
  return { program, began, address: line, live: line.replace(/^http/, "ws").replace("/?", "/live?") };
}
async function connect(live, hear) {
  const socket = new WebSocket(live, { perMessageDeflate: false });
  socket.on("message", (data, binary) => hear(data, binary));
  await new Promise((resolve, reject) => (socket.on("open", resolve), socket.on("error", reject)));
  return { socket, say: (command) => socket.send(JSON.stringify(command)) };
}
/** CPU seconds of each thread of a process, by its number. */
function threads(pid) {
  const ticks = 100, used = new Map();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const words = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
    used.set(task, (Number(words[11]) + Number(words[12])) / ticks);
  }
  return used;
}

/** Receives for a while; frames and bytes a second, and cores used, beyond what steps cost (CPU s each). The main thread is the server's. */
async function stream(title, cost, ...what) {
  const { program, live } = await serve(...what);
  let frames = 0, bytes = 0, people = 0, first = 0, last = 0;
  const { socket, say } = await connect(live, (data, binary) => {
    if (!binary) return;
    frames++;
    bytes += data.length;
    people = data.readUInt32LE(12);
    last = data.readDoubleLE(16);
  });
  while (frames < 2) await wait(50);
  say({ do: "play" });
  await wait(1500);
  const before = threads(program.pid), began = performance.now();
  [frames, bytes, first] = [0, 0, last];
  await wait(1000 * seconds);
  const passed = (performance.now() - began) / 1000, after = threads(program.pid);
  const cores = [...after].map(([task, cpu]) => [task, (cpu - (before.get(task) ?? 0)) / passed]).filter(([, c]) => c > 0.005);
  const server = cores.find(([task]) => Number(task) === program.pid)?.[1] ?? 0, rest = cores.filter(([task]) => Number(task) !== program.pid).map(([, c]) => c.toFixed(2));
  console.log(`${title}: ${people} people, ${(frames / passed).toFixed(1)} frames/s, ${(bytes / passed / 1e6).toFixed(1)} MB/s, ${((last - first) / passed).toFixed(2)}x real time; cores: server's thread ${server.toFixed(2)}, others ${rest.join(" ")}; beyond the simulation ${(cores.reduce((sum, [, c]) => sum + c, 0) - (cost * (last - first)) / dt / passed).toFixed(2)}`);
  socket.terminate();
  program.kill();
}

const table = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
function checksum(...parts) {
  let c = 0xffffffff;
  for (const part of parts) for (let i = 0; i < part.length; i++) c = table[(c ^ part[i]) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
/** Repeats the frames of a .throng recording until it has so many bytes (docs/formats.md tells what they are). */
function grow(from, to, wanted) {
  const data = readFileSync(from), end = Number(data.readBigUInt64LE(data.length - 16)), sections = [], index = [], out = openSync(to, "w");
  for (let at = 16; at < end; ) {
    const length = Number(data.readBigUInt64LE(at + 8));
    sections.push({ tag: data.toString("latin1", at, at + 4), body: data.subarray(at + 16, at + 16 + length) });
    at += 16 + length;
  }
  const frames = sections.filter((s) => s.tag === "FRAM");
  const count = frames.reduce((sum, s) => sum + s.body.readUInt32LE(8), 0);
  let at = 16, first = 0n;
  const put = (tag, body, head = body) => {
    const top = Buffer.alloc(16), entry = Buffer.alloc(72);
    top.write(tag, "latin1");
    top.writeBigUInt64LE(BigInt(body.length), 8);
    top.writeUInt32LE(checksum(top.subarray(8), body), 4);
    writeSync(out, top), writeSync(out, body);
    entry.writeBigUInt64LE(BigInt(at));
    entry.write(tag, 8, "latin1");
    if (tag === "FRAM") head.copy(entry, 16, 0, 56);
    index.push(entry);
    at += 16 + body.length;
  };
  writeSync(out, data.subarray(0, 16));
  for (const s of sections) if (s.tag !== "FRAM") put(s.tag, s.body);
  while (at < wanted) {
    for (const s of frames) {
      const body = Buffer.from(s.body);
      body.writeBigUInt64LE(s.body.readBigUInt64LE(0) + first);
      put("FRAM", body);
    }
    first += BigInt(count);
  }
  const number = Buffer.alloc(8), where = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(index.length));
  where.writeBigUInt64LE(BigInt(at));
  put("INDX", Buffer.concat([number, ...index]));
  writeSync(out, Buffer.concat([where, data.subarray(data.length - 8)]));
  closeSync(out);
}

async function seek(file) {
  const { program, live } = await serve(file), took = [];
  let heard, end = 0, charts = 0, step = 1;
  const { socket, say } = await connect(live, (data, binary) => {
    if (binary) return heard?.(data.readDoubleLE(16), data.length);
    const told = JSON.parse(data);
    if (told.type === "scene") (end = told.times[1]), (step = 1.1 * told.dt);
    if (told.type === "charts") charts = told.rows.length;
  });
  while (!end) await wait(20);
  say({ do: "pause" });
  await wait(500);
  for (let k = 1; k <= 60; k++) {
    const time = ((k * 0.6180339887) % 1) * end, began = performance.now();
    await new Promise((resolve) => {
      heard = (at) => Math.abs(at - time) < step && resolve();
      say({ do: "seek", time });
      setTimeout(resolve, 10_000);
    });
    took.push(performance.now() - began);
    await wait(30);
  }
  console.log(`seek: ${(statSync(file).size / 1e9).toFixed(2)} GB, ${end.toFixed(0)} s, ${took.length} seeks: ${spread(took, "ms")} (charts so far: ${charts} rows)`);
  socket.terminate();
  program.kill();
}

async function page() {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  await (await browser.newPage()).goto("about:blank"); // it is running
  const firsts = [];
  for (let k = 0; k < 5; k++) {
    const { program, address, began } = await serve("demo/bottleneck"), tab = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    tab.goto(address);
    await tab.waitForFunction(() => window.throng?.app.run.n > 0 && window.throng.stage.costs.length > 1, undefined, { polling: 10, timeout: 30_000 });
    firsts.push(performance.now() - began);
    await tab.close();
    program.kill();
  }
  console.log(`first picture after the start of throng view demo/bottleneck: ${spread(firsts, "ms")}`);
  const { program, address } = await serve("orca/random-100k"), tab = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  await tab.goto(address);
  await tab.waitForFunction(() => window.throng?.app.takeCosts.length > 30, undefined, { polling: 500, timeout: 300_000 }); // a software renderer draws two a second
  const [takes, pictures] = await tab.evaluate(() => [throng.app.takeCosts.slice(5), throng.stage.costs.slice(5)]);
  console.log(`script in the page, 100,000 people: a frame ${spread(takes, "ms")}; a picture ${spread(pictures, "ms")}`);
  await browser.close();
  program.kill();
}

/** CPU seconds of a step of a scene, all threads together. */
function stepCost(...what) {
  const cpu = (steps) => {
    const said = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', "bash", throng, "run", ...what, "--duration", String(steps * dt), "--quiet", "--no-check"]).stderr;
    return String(said).trim().split(" ").reduce((sum, word) => sum + Number(word), 0);
  };
  return (cpu(80) - cpu(20)) / 60;
}

const dt = 1 / 32, scene = ["orca/random-100k", "--set", `dt=${dt}`]; // a step for each frame
const wanted = (name) => !only || only.includes(name);
const recording = join(folder, "bench-100k.throng"), large = join(folder, `bench-${size}.throng`);
if (wanted("live")) await stream("live", stepCost(...scene), ...scene);
if (wanted("replay") || wanted("seek")) {
  if (!existsSync(recording)) execFileSync(throng, ["run", ...scene, "--duration", String(299 * dt), "--every", "1", "--quiet", "--no-check", "-o", recording]);
}
if (wanted("replay")) await stream("replay", 0, recording);
if (wanted("seek")) {
  if (!existsSync(large)) grow(recording, large, size);
  await seek(large);
}
if (wanted("page") && browserPath) await page();
process.exit(0);
