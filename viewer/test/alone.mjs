// alone.mjs: the page that simulates by itself in a real browser: node alone.mjs THRONG CHROMIUM DIRECTORY SITE
// The static folder of `make web` behind a plain web server, and files of `throng export --live`.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, runCases } from "./cases.mjs";

const [throng, browserPath, folder, site] = process.argv.slice(2);
const patience = { timeout: 30_000, polling: 50 };
const faults = [];

const server = createServer((request, answer) => {
  const path = new URL(request.url, "http://localhost").pathname, file = join(site, path === "/" ? "index.html" : path);
  if (!existsSync(file)) return answer.writeHead(404).end();
  answer.writeHead(200, { "content-type": file.endsWith(".html") ? "text/html" : "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
async function visit(at) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  page.on("pageerror", (fault) => faults.push(fault.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.addInitScript(() => { try { localStorage.setItem("throng.hints", "seen"); } catch { /* a file */ } });
  await page.goto(at);
  return page;
}
const runs = (page, name) => page.waitForFunction((n) => throng.app.run.scene?.name === n && throng.app.run.n > 0 && throng.app.run.frame?.time > 0.3, name, patience);
async function play(page, on) {
  if ((await page.evaluate(() => throng.app.playing)) !== on) await page.click("#play");
  await page.waitForFunction((wanted) => throng.app.playing === wanted, on, patience);
}
const pixel = (page, x, y) => page.evaluate(([px, py]) => {
  const box = throng.stage.element.getBoundingClientRect(), p = throng.app.camera.toScreen([px, py], throng.stage.pane(0));
  return [box.left + p[0], box.top + p[1]];
}, [x, y]);
const settled = (page) => page.waitForFunction(() => !throng.app.camera.goal, undefined, patience);

/** From the start, some steps on: the time, and the digest as the page shows it. */
async function digestAfter(page, steps) {
  await page.evaluate(() => {
    throng.app.send({ do: "pause" });
    throng.app.send({ do: "restart" });
  });
  await page.waitForFunction(() => throng.app.run.status.state === "paused" && throng.app.run.status.time === 0, undefined, patience);
  const dt = await page.evaluate(() => throng.app.run.scene.dt);
  for (let i = 1; i <= steps; i++) {
    await page.click("#step");
    await page.waitForFunction((t) => Math.abs(throng.app.run.status.time - t) < 1e-6, i * dt, patience);
  }
  await page.waitForFunction((t) => Math.abs(throng.app.run.status.time - t) < 1e-6 && /digest [0-9a-f]{16}/.test(document.getElementById("state").title), steps * dt, patience);
  return [steps * dt, /digest ([0-9a-f]{16})/.exec(await page.locator("#state").getAttribute("title"))[1]];
}
function nativeDigest(seconds, ...what) {
  return JSON.parse(execFileSync(throng, ["run", ...what, "--duration", String(seconds), "--quiet", "--stats", "-"], { stdio: ["ignore", "pipe", "ignore"] })).digest;
}

let page;
const cases = {
  async "the static page has a gallery, and runs a scene with one click"() {
    page = await visit(address);
    await page.waitForSelector("[data-scene='demo/two-exits'] canvas", patience);
    const cards = await page.locator(".card").count();
    expect(`a card for every scene without things, found ${cards}`, cards > 100 && (await page.locator("[data-scene='forces/wall-breaking']").count()) === 0);
    const began = Date.now();
    await page.click("[data-scene='demo/two-exits']");
    await page.waitForFunction(() => throng.app.run.n === 200, undefined, patience);
    console.log(`        first frame after ${Date.now() - began} ms`);
    await runs(page, "demo/two-exits");
    const before = await page.evaluate(() => [...throng.app.run.frame.x]);
    await page.waitForFunction((old) => throng.app.run.frame.x.some((x, i) => Math.abs(x - old[i]) > 200), before, patience);
    await page.waitForFunction(() => throng.app.run.series.rows.length > 2, undefined, patience);
  },
  async "a module that breaks is told, and begun anew"() {
    const other = await visit(`${address}#scene=demo/corner`);
    await runs(other, "demo/corner");
    await other.evaluate(() => throng.app.link.worker.onmessage({ data: { fault: "out of luck" } }));
    await other.waitForFunction(() => /broke off: out of luck/.test(document.getElementById("toast").textContent), undefined, patience);
    await other.evaluate(() => throng.app.open({ scene: "demo/two-exits" }));
    await runs(other, "demo/two-exits");
    await other.close();
  },
  async "another model, and a slider, change the run"() {
    await page.selectOption("#model-choice", "powerlaw");
    await page.waitForFunction(() => throng.app.run.scene.model === "powerlaw", undefined, patience);
    const name = await page.evaluate(() => document.querySelector("#panel .control:not(.plain)").dataset.name);
    const before = await page.evaluate((n) => throng.app.run.scene.settings.params[n], name);
    await page.locator("#panel .control:not(.plain) input[type=range]").first().focus();
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(([n, old]) => throng.app.run.scene.settings.params[n] > old, [name, before], patience);
  },
  async "a person tells its data, is pushed and removed; a crowd is dropped, a door closed"() {
    await play(page, false);
    await settled(page);
    const [x, y, id] = await page.evaluate(() => [...throng.app.run.where(0, performance.now()), throng.app.run.frame.ids[0]]);
    await page.mouse.click(...(await pixel(page, x, y)));
    await page.waitForFunction((n) => document.getElementById("inspector").textContent.includes(`Person ${n}`), id, patience);
    const n = await page.evaluate(() => throng.app.run.n);
    await page.evaluate((who) => {
      throng.app.send({ do: "push", run: 0, person: who, impulse: [100, 0] });
      throng.app.send({ do: "remove", run: 0, person: who });
    }, id);
    await page.waitForFunction((old) => throng.app.run.n === old - 1, n, patience);
    await page.keyboard.press("Escape");
    await page.locator("#stage").focus();
    await page.keyboard.press("n");
    await page.mouse.click(...(await pixel(page, 10, 3)));
    await page.waitForFunction((old) => throng.app.run.n > old, n, patience);
    await page.keyboard.press("Escape");
    const door = await page.evaluate(() => throng.app.run.scene.goals.find((g) => g.exit).name);
    await page.evaluate((goal) => throng.app.send({ do: "door", goal, open: false }), door);
    await page.waitForFunction((goal) => throng.app.run.scene.goals.find((g) => g.name === goal).closed, door, patience);
  },
  async "two models run side by side, with one clock"() {
    await play(page, true);
    await page.locator("#stage").focus();
    await page.keyboard.press("c");
    await page.check("dialog input[value=orca]");
    await page.click("#compare-go");
    await page.waitForFunction(() => {
      const [a, b] = throng.app.runs;
      return b?.scene?.model === "orca" && a.n > 0 && b.n > 0 && a.frame.time > 0.5 && Math.abs(a.frame.time - b.frame.time) < 1;
    }, undefined, patience);
    await page.evaluate(() => throng.app.setRuns(1));
  },
  async "the scenario's text is edited and run; a plan that is dropped becomes one"() {
    await page.locator("#stage").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.getElementById("scenario-text").value.includes('"agents"'), undefined, patience);
    const text = await page.inputValue("#scenario-text");
    await page.fill("#scenario-text", text.replace('"agents"', '"agent"'));
    await page.waitForFunction(() => /did you mean 'agents'/.test(document.querySelector(".notes").textContent), undefined, patience);
    await page.fill("#scenario-text", text.replace(/"name": *"[^"]*"/, '"name": "mine"'));
    await page.waitForFunction(() => document.querySelector(".notes").textContent === "No complaints.", undefined, patience);
    await page.click("#editor-run");
    await runs(page, "mine");
    const plan = '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 7], [0, 7], [0, 0]]]}}]}';
    await page.evaluate((content) => throng.editor.openFile(new File([content], "plan.geojson")), plan);
    await page.waitForFunction(() => /"name": "plan"[^]*\[9, 7\]/.test(document.getElementById("scenario-text").value), undefined, patience);
    await page.evaluate(() => throng.editor.openFile(new File(["nonsense"], "run.sqlite")));
    await page.waitForFunction(() => /throng view/.test(document.getElementById("toast").textContent), undefined, patience);
    await page.keyboard.press("Escape");
  },
  async "the digest on the page is the program's"() {
    await page.evaluate(() => throng.app.open({ scene: "demo/corner" }));
    await runs(page, "demo/corner");
    const [time, digest] = await digestAfter(page, 6), own = nativeDigest(time, "demo/corner");
    expect(`after ${time} s ${digest} on the page, ${own} of the program`, digest === own);
  },
  async "a link opens the same run with all its settings"() {
    await page.selectOption("#model-choice", "pbd");
    await page.waitForFunction(() => throng.app.run.scene.model === "pbd", undefined, patience);
    await page.evaluate(() => throng.app.send({ do: "seed", value: 7 }));
    await page.waitForFunction(() => throng.app.run.scene.seed === 7, undefined, patience);
    const name = await page.evaluate(() => document.querySelector("#panel .control:not(.plain)").dataset.name);
    await page.locator("#panel .control:not(.plain) input[type=range]").first().focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#panel .control:not(.plain)").classList.contains("changed"), undefined, patience);
    await page.waitForTimeout(300);
    const value = await page.evaluate((n) => throng.app.run.scene.settings.params[n], name);
    await page.evaluate(() => throng.app.camera.zoom(2, 500, 300, throng.stage.pane(0)));
    await page.click("#door-link");
    await page.waitForFunction(() => location.hash.includes("scene="), undefined, patience);
    const link = page.url(), other = await visit(link);
    expect(`the link says all: ${link}`, link.includes("#scene=demo/corner&model=pbd&seed=7&set=model.params.") && link.includes("&camera="));
    await runs(other, "demo/corner");
    await settled(other);
    const [model, seed, got, scale] = await other.evaluate((n) => [throng.app.run.scene.model, throng.app.run.scene.seed, throng.app.run.scene.settings.params[n], throng.app.camera.scale], name);
    expect(`pbd, seed 7, ${name} ${value}: ${model}, ${seed}, ${got}`, model === "pbd" && seed === 7 && got === value);
    expect("the camera is where it was", Math.abs(scale - (await page.evaluate(() => throng.app.camera.scale))) < 0.01);
    const [time, digest] = await digestAfter(other, 4);
    const own = nativeDigest(time, "demo/corner", "--model", "pbd", "--seed", "7", "--set", `model.params.${name}=${value}`);
    expect(`after ${time} s ${digest} on the page, ${own} of the program`, digest === own);
    await other.close();
  },
  async "a link has doors, groups, runs side by side and what is shown in it"() {
    const text = '{"throng": 1, "name": "two, groups", "walkable_area": [[0, 0], [20, 0], [20, 6], [0, 6]], "obstacles": [{"polygon": [[9, 2], [10, 2], [10, 3], [9, 3]], "id": "kiosk, blue"}], "goals": {"west": {"polygon": [[0, 0], [1, 0], [1, 6], [0, 6]], "exit": true}, "east, far": {"polygon": [[19, 0], [20, 0], [20, 6], [19, 6]], "exit": true}}, "agents": [{"in": [[2, 1], [8, 1], [8, 5], [2, 5]], "count": 8, "group": "a", "goal": {"any": ["west", "east, far"]}}, {"in": [[11, 1], [18, 1], [18, 5], [11, 5]], "count": 8, "group": "b, too", "goal": "west"}], "model": "orca", "duration": 60}';
    await page.evaluate((t) => throng.app.open({ text: t }), text);
    await runs(page, "two, groups");
    await page.evaluate(() => {
      throng.app.send({ do: "model", name: "powerlaw", group: "b, too" });
      throng.app.send({ do: "set", param: "keep_right", value: 1.5, group: "b, too" });
      throng.app.send({ do: "door", goal: "east, far", open: false });
      throng.app.send({ do: "move", obstacle: "kiosk, blue", by: [0.5, 1] });
    });
    const changed = (p, k) => p.waitForFunction((run) => {
      const scene = throng.app.runs[run]?.scene, group = scene?.groups.find((g) => g.name === "b, too");
      return scene?.goals[1].closed && !scene.goals[0].closed && group.model === (run ? "pbd" : "powerlaw") && group.habits.keep_right === 1.5 && Math.abs(scene.obstacles[0].ring[0][1] - 3) < 1e-9;
    }, k, patience);
    await changed(page, 0);
    await page.locator("#stage").focus();
    await page.keyboard.press("c");
    await page.check("dialog input[value=pbd]");
    await page.click("#compare-go");
    await changed(page, 1);
    await changed(page, 0);
    await page.evaluate(() => {
      throng.panel.colourBy("q:held_for");
      throng.app.show({ trails: true, density: true });
      throng.app.overlays.set({ goal: "west" });
    });
    await page.click("#door-link");
    await page.waitForFunction(() => location.hash.includes("2.model=pbd"), undefined, patience);
    const other = await visit(page.url());
    for (const k of [0, 1]) await changed(other, k);
    await other.waitForFunction(() => throng.app.runs.every((r) => r.frame?.value) && throng.app.overlays.fields.get(0)?.goal === "west", undefined, patience);
    const [by, quantity, trails, density, arrows] = await other.evaluate(() => [throng.app.shown.by, throng.app.quantity, throng.app.shown.trails, throng.app.shown.density, throng.app.shown.arrows]);
    expect(`colours and maps as they were: ${[by, quantity, trails, density, arrows]}`, by === "value" && quantity === "held_for" && trails && density && !arrows);
    await other.click("#restart");
    await other.waitForTimeout(300);
    for (const k of [0, 1]) await changed(other, k);
    await other.click("#door-link");
    await other.waitForTimeout(200);
    expect(`its own link says the same: ${other.url()} ${page.url()}`, other.url() === page.url());
    await other.close();
    await page.evaluate(() => { throng.app.setRuns(1); throng.panel.colourBy("speed"); throng.app.show({ trails: false, density: false }); throng.app.overlays.set({ goal: "" }); });
  },
  async "a link has a drawn scenario in it"() {
    const text = '{ // mine & yours\n "throng": 1, "name": "drawn + sent", "walkable_area": [[0, 0], [9, 0], [9, 5], [0, 5]], "goals": {"out": {"polygon": [[8, 0], [9, 0], [9, 5], [8, 5]], "exit": true}},\n "agents": [{"in": [[0, 0], [4, 0], [4, 5], [0, 5]], "count": 9, "goal": "out"}], "model": "orca", "duration": 60}';
    await page.evaluate((t) => throng.app.open({ text: t }), text);
    await runs(page, "drawn + sent");
    await page.click("#door-link");
    await page.waitForFunction(() => location.hash.includes("text="), undefined, patience);
    const other = await visit(page.url());
    await runs(other, "drawn + sent");
    await other.locator("#stage").focus();
    await other.keyboard.press("e");
    await other.waitForFunction((t) => document.getElementById("scenario-text").value === t, text, patience);
    await other.close();
    const broken = await visit(`${address}#text=%%%`);
    await broken.waitForFunction(() => /damaged/.test(document.getElementById("toast").textContent), undefined, patience);
    await broken.close();
  },
  async "an exported file simulates by itself from the disk"() {
    writeFileSync(join(folder, "room.wkt"), "POLYGON ((0 0, 12 0, 12 6, 0 6, 0 0))");
    const scenario = '{"throng": 1, "name": "from a file", "walkable_area": {"file": "room.wkt"}, "goals": {"out": {"polygon": [[11, 2], [12, 2], [12, 4], [11, 4]], "exit": true}}, "agents": [{"in": [[0, 0], [6, 0], [6, 6], [0, 6]], "count": 30, "goal": "out"}], "duration": 60}';
    writeFileSync(join(folder, "room.json"), scenario);
    const file = join(folder, "live.html");
    execFileSync(throng, ["export", "--live", join(folder, "room.json"), "-o", file, "--model", "powerlaw", "--quiet"]);
    const alone = await visit(`file://${file}`);
    await runs(alone, "from a file");
    await alone.screenshot({ path: join(folder, "live.png") });
    const [time, digest] = await digestAfter(alone, 5), own = nativeDigest(time, join(folder, "room.json"), "--model", "powerlaw");
    expect(`after ${time} s ${digest} in the file, ${own} of the program`, digest === own);
    await alone.selectOption("#model-choice", "implicit");
    await play(alone, true);
    await alone.waitForFunction(() => throng.app.run.scene.model === "implicit" && throng.app.run.frame.time > 2, undefined, patience);
    await alone.close();
  },
};

const failed = await runCases(cases, faults, () => page, folder);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
