// page.mjs: the page in a real browser, against the real program. Usage: node page.mjs THRONG CHROMIUM DIRECTORY
// Each case says what a user would see; a case that fails leaves a picture of the page in the directory.

import { spawn, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, runCases } from "./cases.mjs";

const [throng, browserPath, folder] = process.argv.slice(2);
const patience = { timeout: 30_000, polling: 50 };
const started = [];
const faults = [];

/** Starts `throng view` and returns its address. */
function serve(...what) {
  const program = spawn(throng, ["view", "--no-open", "--threads", "1", ...what], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(program);
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [program.stdout, program.stderr])
      stream.on("data", (text) => {
        said += text;
        const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said);
        if (address) resolve({ address: address[0], program });
      });
    program.on("exit", (code) => reject(new Error(`throng view ended with ${code}: ${said}`)));
  });
}


const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function visit(address, hints = false) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  page.on("pageerror", (fault) => faults.push(fault.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  if (!hints) await page.addInitScript(() => { try { localStorage.setItem("throng.hints", "seen"); } catch { /* a file */ } });
  await page.goto(address);
  return page;
}
const walking = (page) => page.waitForFunction(() => throng.app.run.n > 0 && throng.app.run.frame?.time > 0.3, undefined, patience);
/** Where something is in the window, from metres. */
const pixel = (page, x, y) => page.evaluate(([px, py]) => {
  const box = throng.stage.element.getBoundingClientRect(), p = throng.app.camera.toScreen([px, py], throng.stage.pane(0));
  return [box.left + p[0], box.top + p[1]];
}, [x, y]);
async function play(page, on) {
  if ((await page.evaluate(() => throng.app.playing)) !== on) await page.click("#play");
  await page.waitForFunction((wanted) => throng.app.playing === wanted, on, patience);
}
const settled = (page) => page.waitForFunction(() => !throng.app.camera.goal, undefined, patience);
/** The mean of everybody's velocity to the right, m/s. */
const drift = (page) => page.evaluate(() => {
  const f = throng.app.run.frame;
  let sum = 0;
  for (let i = 0; i < f.n; i++) sum += Math.cos((f.heading[i] / 256) * 2 * Math.PI) * f.speed[i] * 0.02;
  return f.n ? sum / f.n : 0;
});

const hall = `{ // people between two exits
  "throng": 1, "name": "hall", "duration": 300, "walkable_area": [[0, 0], [40, 0], [40, 6], [0, 6]],
  "goals": {
    "west": {"polygon": [[0, 0], [1, 0], [1, 6], [0, 6]], "exit": true},
    "east": {"polygon": [[39, 0], [40, 0], [40, 6], [39, 6]], "exit": true}
  },
  "agents": [{"in": [[14, 1], [19, 1], [19, 5], [14, 5]], "count": 20, "goal": {"any": ["west", "east"]}}],
  "model": "orca"
}`;
writeFileSync(join(folder, "hall.json"), hall);

const { address, program } = await serve(join(folder, "hall.json"));
let page;

const cases = {
  async "people move, the clock runs, space pauses"() {
    page = await visit(address);
    await walking(page);
    const before = await page.evaluate(() => [...throng.app.run.frame.x]);
    await page.waitForFunction((old) => throng.app.run.frame.x.some((x, i) => Math.abs(x - old[i]) > 200), before, patience);
    await page.locator("#stage").focus();
    await page.keyboard.press(" ");
    await page.waitForFunction(() => throng.app.run.status.state === "paused" && document.getElementById("state").textContent === "paused", undefined, patience);
    await page.waitForTimeout(400); // what was under way has come
    const still = await page.evaluate(() => throng.app.run.frame.time);
    await page.waitForTimeout(400);
    expect("a paused run stands still", still === (await page.evaluate(() => throng.app.run.frame.time)));
    const ink = await page.evaluate(() => {
      const gl = document.getElementById("people"), copy = new OffscreenCanvas(gl.width, gl.height).getContext("2d");
      copy.drawImage(gl, 0, 0);
      return copy.getImageData(0, 0, gl.width, gl.height).data.reduce((sum, v, i) => sum + (i % 4 === 3 && v > 128 ? 1 : 0), 0);
    });
    expect(`20 people of 0.4 m fill some dozen pixels each, found ${ink} in all`, ink > 600);
  },
  async "a click on a person shows its data, and F follows"() {
    await play(page, false);
    await settled(page);
    const [x, y, id] = await page.evaluate(() => [...throng.app.run.where(0, performance.now()), throng.app.run.frame.ids[0]]);
    await page.mouse.click(...(await pixel(page, x, y)));
    await page.waitForFunction(() => /neighbours|at\s*\d/.test(document.getElementById("inspector").textContent), undefined, patience);
    const text = await page.locator("#inspector").innerText();
    expect(`the card is of person ${id}: ${text}`, text.includes(`Person ${id}`) && /of 1\.34 m\/s/.test(text) && /orca/.test(text));
    await page.keyboard.press("f");
    await play(page, true);
    await page.waitForFunction(() => {
      const { app } = throng, at = app.run.where(app.run.rowOf(app.selection.id), performance.now());
      return app.follow && at && Math.hypot(app.camera.x - at[0], app.camera.y - at[1]) < 0.5;
    }, undefined, patience);
    await page.keyboard.press("Escape");
    await page.keyboard.press("0");
    await settled(page);
  },
  async "closing a door sends everybody the other way, undo opens it"() {
    await play(page, true);
    await page.evaluate(() => {
      let last = 0;
      throng.app.on("frame", (run) => {
        window.wentBack ||= run.frame.time < last;
        last = run.frame.time;
      });
    });
    await page.waitForTimeout(200);
    await page.click("#restart");
    await page.waitForFunction(() => window.wentBack && throng.app.run.frame.time > 1, undefined, patience);
    expect("they walk west at first", (await drift(page)) < -0.3);
    await page.mouse.click(...(await pixel(page, 0.5, 0.6)));
    await page.click("#inspector button:has-text('Close it')");
    await page.waitForFunction(() => throng.app.run.scene.goals.find((g) => g.name === "west").closed, undefined, patience);
    const end = Date.now() + 20_000;
    while ((await drift(page)) < 0.3 && Date.now() < end) await page.waitForTimeout(100);
    expect("they walk east then", (await drift(page)) > 0.3);
    await page.keyboard.press("Escape");
    await page.locator("#stage").focus();
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !throng.app.run.scene.goals.find((g) => g.name === "west").closed, undefined, patience);
  },
  async "another model, and a slider, change the run"() {
    await page.selectOption("#model-choice", "powerlaw");
    await page.waitForFunction(() => throng.app.run.scene.model === "powerlaw" && document.getElementById("model-choice").value === "powerlaw", undefined, patience);
    const name = await page.evaluate(() => document.querySelector("#panel .control:not(.plain)").dataset.name);
    const before = await page.evaluate((n) => throng.app.run.scene.settings.params[n], name);
    await page.locator("#panel .control:not(.plain) input[type=range]").first().focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(([n, old]) => throng.app.run.scene.settings.params[n] > old, [name, before], patience);
    expect("what was changed is marked", await page.evaluate(() => document.querySelector("#panel .control:not(.plain)").classList.contains("changed")));
    const command = await page.evaluate(() => throng.panel.command());
    expect(`the command line has it: ${command}`, command.includes("--model powerlaw") && command.includes(`--set model.params.${name}=`));
  },
  async "a crowd is dropped, and a ball thrown"() {
    await play(page, false);
    const before = await page.evaluate(() => throng.app.run.n);
    await page.locator("#stage").focus();
    await page.keyboard.press("n");
    await page.mouse.click(...(await pixel(page, 30, 3)));
    await page.waitForFunction((old) => throng.app.run.n === old + 20, before, patience);
    await page.keyboard.press("b");
    await page.mouse.move(...(await pixel(page, 5, 3)));
    await page.mouse.down();
    await page.mouse.move(...(await pixel(page, 7, 3)), { steps: 3 });
    await page.mouse.up();
    await play(page, true);
    await page.waitForFunction(() => throng.app.run.frame.things[0]?.x > 5300 && throng.app.run.scene.things.length === 1, undefined, patience);
    await page.keyboard.press("Escape");
  },
  async "two viewers see one run, and one pauses it for both"() {
    const other = await visit(address);
    await other.waitForFunction(() => throng.app.run.scene?.name === "hall" && throng.app.run.n > 0, undefined, patience);
    await other.locator("#play").click();
    await page.waitForFunction(() => throng.app.run.status.state === "paused", undefined, patience);
    await page.locator("#play").click();
    await other.waitForFunction(() => throng.app.run.status.state === "running", undefined, patience);
    await other.close();
  },
  async "the gallery runs a scene with one click, and finds by words"() {
    await page.locator("#stage").focus();
    await page.keyboard.press("g");
    const middle = () => page.evaluate(() => {
      const canvas = document.querySelector("[data-scene='demo/two-exits'] canvas"), [r, g, b, a] = canvas.getContext("2d").getImageData(canvas.width / 2, 0.72 * canvas.height, 1, 1).data;
      return a ? r + g + b : -1;
    });
    await page.waitForSelector("[data-scene='demo/two-exits'] canvas", patience);
    const soon = Date.now() + 20_000;
    while ((await middle()) < 0 && Date.now() < soon) await page.waitForTimeout(50);
    const light = await middle();
    await page.click("#door-theme");
    const dark = await middle();
    await page.click("#door-theme");
    expect(`its pictures follow the theme: ${light}, ${dark}`, light > 650 && dark < 200);
    await page.fill("#gallery-search", "corner");
    await page.click("[data-scene='demo/corner']");
    await page.waitForFunction(() => throng.app.run.scene?.name === "demo/corner" && throng.app.run.n > 0, undefined, patience);
    expect("the gallery is gone", await page.locator("#gallery").isHidden());
  },
  async "what is done by hand can be undone, and read off as scenario text"() {
    await page.evaluate(() => throng.app.open({ scene: "demo/corner" }));
    await page.waitForFunction(() => throng.app.run.scene?.name === "demo/corner" && throng.app.run.n === 20, undefined, patience);
    await page.waitForFunction(() => throng.app.run.frame.time > 1, undefined, patience);
    const [time, id] = await page.evaluate(() => [throng.app.run.frame.time, throng.app.run.frame.ids[0]]);
    await page.evaluate((who) => throng.app.select({ kind: "person", run: throng.app.run, id: who }), id);
    await page.click("#inspector button:has-text('Remove')");
    await page.waitForFunction((who) => !throng.app.run.frame.ids.includes(who) && throng.app.run.n === 19, id, patience);
    await page.locator("#stage").focus();
    await page.keyboard.press("n");
    await page.mouse.click(...(await pixel(page, 11, 6)));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => throng.app.run.n > 30, undefined, patience);
    const text = async () => page.evaluate(async () => (await throng.app.link.request("scenario.json", { run: "0" })).text());
    const door = await page.evaluate(() => throng.app.run.scene.goals[0].name);
    await page.evaluate((goal) => throng.app.change("closes", { do: "door", run: 0, goal, open: false }, [{ do: "door", run: 0, goal, open: true }]), door);
    await page.waitForFunction(() => throng.app.run.scene.goals[0].closed, undefined, patience);
    const written = await text();
    expect(`events and comments tell what was done: ${written}`, /"events": \[[^]*by hand at[^]*"do":"remove"[^]*"do":"drop"[^]*\{"time":[\d.]+,"close":"[^"]+"\}/.test(written));
    writeFileSync(join(folder, "hand.json"), written);
    execFileSync(throng, ["check", join(folder, "hand.json")]);
    for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
    await page.waitForFunction((who) => throng.app.run.n === 20 && throng.app.run.frame.ids.includes(who), id, patience);
    expect("the clock has gone back", (await page.evaluate(() => throng.app.run.frame.time)) < time + 3);
    expect("nothing is left in the text", !(await text()).includes("by hand"));
    await page.waitForFunction((old) => throng.app.run.frame.time > old + 1, time, patience);
    await page.evaluate(() => throng.app.act("pushed", { do: "push", run: 0, person: throng.app.run.frame.ids[0], impulse: [9, 0] }));
    await page.waitForSelector("#top button:has-text('Undo')", patience);
    await page.evaluate(() => throng.app.open({ scene: "demo/corner" }));
    await page.waitForSelector("#top button:has-text('Undo')", { state: "hidden", ...patience });
  },
  async "plans and scenarios dropped on the page are opened; faults are told"() {
    const drop = async (name, bytes) => {
      const base64 = Buffer.from(bytes).toString("base64");
      await page.evaluate(([file, data]) => {
        const carried = new DataTransfer();
        carried.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], file));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
      }, [name, base64]);
    };
    const drawn = (words) => page.waitForFunction((w) => !document.getElementById("editor").hidden && document.getElementById("scenario-text").value.includes(w), words, patience);
    await drop("room.wkt", "POLYGON ((0 0, 7.25 0, 7.25 5, 0 5, 0 0))");
    await drawn("7.25");
    await drop("room.geojson", JSON.stringify({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [[[0, 0], [8.5, 0], [8.5, 5], [0, 5], [0, 0]]] } }));
    await drawn("8.5");
    const corner = (x, y) => `10\n${x}\n20\n${y}\n`;
    await drop("room.dxf", `0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nwalkablearea\n90\n4\n70\n1\n${corner(0, 0)}${corner(9.75, 0)}${corner(9.75, 5)}${corner(0, 5)}0\nENDSEC\n0\nEOF\n`);
    await drawn("9.75");
    const png = await page.evaluate(async () => {
      const picture = new OffscreenCanvas(120, 80), ink = picture.getContext("2d");
      ink.fillRect(0, 0, 120, 80);
      ink.fillStyle = "white";
      ink.fillRect(10, 10, 100, 60);
      return [...new Uint8Array(await (await picture.convertToBlob()).arrayBuffer())];
    });
    await drop("picture.png", Uint8Array.from(png));
    await drawn('"name": "picture"');
    await page.waitForFunction(() => throng.editor.shapes.some((s) => s.kind === "room" && s.points.length >= 4), undefined, patience);
    await drop("mine.json", '{\n  "throng": 1, "name": "mine",\n  "walkable_area": [[0, 0], [4, 0], [4, 4], [0, 4]],\n  "agentz": []\n}');
    await drawn('"mine"');
    await page.waitForFunction(() => /^4:3 .*did you mean 'agents'/.test(document.querySelector(".notes").textContent), undefined, patience);
    await drop("broken.dxf", "this is no drawing");
    await page.waitForFunction(() => /broken\.dxf/.test(document.body.innerText), undefined, patience);
    await page.evaluate(() => throng.editor.close());
  },
  async "a drawn room runs; its text can be typed, and faults are told"() {
    await page.locator("#stage").focus();
    await page.keyboard.press("e");
    await page.waitForSelector("#editor:not([hidden])");
    await page.click("#editor-new");
    await page.waitForTimeout(300);
    const draw = async (tool, a, b) => {
      await page.click(`[data-tool=${tool}]`);
      await page.mouse.move(...(await pixel(page, ...a)));
      await page.mouse.down();
      await page.mouse.move(...(await pixel(page, ...b)), { steps: 4 });
      await page.mouse.up();
    };
    await draw("people", [1, 1], [5, 8]);
    await draw("exit", [14, 3], [15, 6]);
    await draw("obstacle", [8, 2], [9, 7]);
    await draw("wall", [12, 0], [12, 9]);
    await draw("door", [12, 4], [12, 5.2]);
    await page.click("[data-tool=wall]");
    for (const p of [[3, 8.5], [7, 8.5], [7, 8]]) await page.mouse.click(...(await pixel(page, ...p)), { delay: 30 });
    await page.keyboard.press("Escape");
    expect("a door is a gap in a wall; Esc ends a wall and keeps it", (await page.inputValue("#scenario-text")).includes('{"line": [[12, 0], [12, 4]]}, {"line": [[12, 5.2], [12, 9]]}') && (await page.inputValue("#scenario-text")).includes('{"line": [[3, 8.5], [7, 8.5], [7, 8]]}'));
    const text = await page.inputValue("#scenario-text");
    expect(`what was drawn is in the text: ${text}`, text.includes('"exit": {"polygon": [[14, 3], [15, 3], [15, 6], [14, 6]], "exit": true}') && text.includes('"goal": "exit"') && text.includes('{"polygon": [[8, 2], [9, 2], [9, 7], [8, 7]]}'));
    await page.waitForFunction(() => document.querySelector(".notes").textContent === "No complaints.", undefined, patience);
    await page.fill("#scenario-text", text.replace('"obstacles"', '// mine\n  "obstacle"'));
    await page.waitForFunction(() => /did you mean 'obstacles'/.test(document.querySelector(".notes").textContent), undefined, patience);
    await page.fill("#scenario-text", text.replace('"obstacles"', '// mine\n  "obstacles"'));
    await page.waitForFunction(() => document.querySelector(".notes").textContent === "No complaints.", undefined, patience);
    await page.click("#editor-run");
    await page.waitForFunction(() => throng.app.run.scene?.name === "my-room" && throng.app.run.n > 10 && throng.app.run.frame.time > 1, undefined, patience);
    expect("they walk to the exit", (await drift(page)) > 0.1);
    await page.locator("#stage").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.getElementById("scenario-text").value.includes("// mine"), undefined, patience);
    await page.keyboard.press("Escape");
  },
  async "two models side by side on one clock"() {
    await page.evaluate(() => throng.app.open({ scene: "demo/corner" }));
    await page.waitForFunction(() => throng.app.run.scene?.name === "demo/corner" && throng.app.run.n > 0, undefined, patience);
    await page.locator("#stage").focus();
    await page.keyboard.press("c");
    await page.check("dialog input[value=pbd]");
    await page.click("#compare-go");
    await page.waitForFunction(() => {
      const [a, b] = throng.app.runs;
      return b?.scene?.model === "pbd" && a.scene.model === "orca" && a.n > 0 && b.n > 0 && a.frame.time > 0.5 && Math.abs(a.frame.time - b.frame.time) < 1;
    }, undefined, patience);
    expect("both have a title", (await page.locator(".pane-title b").allInnerTexts()).join() === "orca,pbd");
    await page.evaluate(() => throng.app.setRuns(1));
  },
  async "a drawn scene with settings by hand is compared; what the other model lacks is left out, and told"() {
    const drawn = await (await page.evaluateHandle(() => throng.app.link.request("scenario.json", { name: "demo/corner" }).then((a) => a.text()))).jsonValue();
    await page.evaluate((text) => throng.app.open({ text, name: "mine.json" }), drawn.replace(/"name": *"[^"]*"/, '"name": "mine"'));
    await page.waitForFunction(() => throng.app.run.scene?.name === "mine" && throng.app.run.n > 0, undefined, patience);
    const set = (param, value) => page.evaluate(([p, v]) => throng.app.send({ do: "set", param: p, value: v }), [param, value]);
    await set("time_horizon", 7);
    await set("keep_right", 2);
    const door = await page.evaluate(() => throng.app.run.scene.goals[0].name);
    await page.evaluate((goal) => throng.app.send({ do: "door", goal, open: false }), door);
    await page.waitForFunction(() => throng.app.run.scene.settings.params.time_horizon === 7 && throng.app.run.scene.settings.habits.keep_right === 2 && throng.app.run.scene.goals[0].closed, undefined, patience);
    await page.locator("#stage").focus();
    await page.keyboard.press("c");
    await page.check("dialog input[value=pbd]");
    await page.click("#compare-go");
    await page.waitForFunction(() => /pbd has no time horizon: left out/.test(document.getElementById("toast").textContent), undefined, patience);
    await page.waitForFunction(() => {
      const [a, b] = throng.app.runs;
      return a.scene.settings.params.time_horizon === 7 && b?.scene?.model === "pbd" && b.n > 0 && [a, b].every((r) => r.scene.settings.habits.keep_right === 2 && r.scene.goals[0].closed);
    }, undefined, patience);
    await page.evaluate(() => throng.app.setRuns(1));
    await page.evaluate(() => throng.app.open({ scene: "demo/corner" }));
    await page.waitForFunction(() => throng.app.run.scene?.name === "demo/corner" && throng.app.run.n > 0, undefined, patience);
  },
  async "a run stands beside a recording of others that is chosen on the page"() {
    const file = join(folder, "people.txt");
    const rows = Array.from({ length: 200 }, (_, f) => [1, 2, 3].map((id) => `${id} ${f} ${(501 + 0.02 * f * (0.8 + 0.1 * id)).toFixed(3)} ${id} 0`).join("\n"));
    writeFileSync(file, `# framerate: 10 fps\n# id frame x/m y/m z/m\n${rows.join("\n")}\n`);
    await page.locator("#stage").focus();
    await page.keyboard.press("c");
    await page.setInputFiles("#compare-file", file);
    await page.check("dialog input[value=pbd]");
    await page.click("#compare-go");
    await page.waitForFunction(() => {
      const [a, b, c] = throng.app.runs;
      return c?.scene?.live === false && c.n === 3 && b.scene?.model === "pbd" && a.n > 0 && c.frame.time > 0.3 && c.series.rows.length > 2 && a.series.rows.length > 2;
    }, undefined, patience);
    expect("titles tell them apart", (await page.locator(".pane-title b").allInnerTexts()).join() === "orca,pbd,people.txt");
    const seen = await page.evaluate(() => { const run = throng.app.runs[2], pane = throng.stage.pane(2), at = throng.stage.seen(run).toScreen(run.where(0, performance.now()), pane); return at[0] > pane.x && at[0] < pane.x + pane.w; });
    expect("the recording of another place is in its picture", seen);
    await page.evaluate(() => throng.app.setRuns(1));
  },
  async "a recording plays, and seeks to the right frame"() {
    const file = join(folder, "hall.throng");
    execFileSync(throng, ["run", join(folder, "hall.json"), "-o", file, "--duration", "8", "--quiet"]);
    const other = await serve(file), replay = await visit(other.address);
    await replay.waitForFunction(() => throng.app.run.n > 0 && throng.app.run.scene.live === false, undefined, patience);
    await play(replay, false);
    const box = await replay.locator(".time-canvas").boundingBox();
    await replay.mouse.click(box.x + 16 + (box.width - 32) * 0.5, box.y + box.height - 24);
    await replay.waitForFunction(() => Math.abs(throng.app.run.frame.time - 4) < 0.06, undefined, patience);
    const [time, people] = await replay.evaluate(() => { const f = throng.app.run.frame; return [f.time, [...f.ids].map((id, i) => [id, f.x[i] + 1000 * f.originX, f.y[i] + 1000 * f.originY])]; });
    compare(people, time);
    await replay.close();
    other.program.removeAllListeners("exit");
    other.program.kill();
  },
  async "an exported file plays by itself, and seeks"() {
    const file = join(folder, "hall.html");
    execFileSync(throng, ["export", join(folder, "hall.json"), "-o", file, "--duration", "8", "--quiet"]);
    const alone = await visit(`file://${file}`);
    await walking(alone);
    await alone.evaluate(() => { throng.app.send({ do: "pause" }); throng.app.send({ do: "seek", time: 4 }); });
    await alone.waitForFunction(() => throng.app.run.frame.time === 4, undefined, patience);
    const there = await alone.evaluate(() => { const f = throng.app.run.frame; return [...f.ids].map((id, i) => [id, f.x[i], f.y[i]]); });
    compare(there, 4);
    await alone.locator("#stage").focus();
    const [picture] = await Promise.all([alone.waitForEvent("download"), alone.keyboard.press("s")]);
    await picture.saveAs(join(folder, "saved.png"));
    expect("a picture is saved", readFileSync(join(folder, "saved.png")).readUInt32BE(0) === 0x89504e47 && readFileSync(join(folder, "saved.png")).length > 5000);
    await alone.close();
  },
  async "an exported file has overlays: spaces, forces, ways, and quantities of everybody"() {
    const make = (name, ...what) => {
      execFileSync(throng, ["export", ...what, "-o", join(folder, name), "--quiet"]);
      return visit(`file://${join(folder, name)}`);
    };
    const known = (p, f) => p.waitForFunction(f, undefined, patience), shut = (...pages) => Promise.all(pages.map((p) => p.close()));
    const spaces = await make("cpd.html", "cpd/bottleneck", "--duration", "2");
    await known(spaces, () => throng.app.run.frame?.time > 0.5);
    await spaces.click("label:has(#show-spaces)");
    await known(spaces, () => throng.app.run.frame.layer?.some((v) => v > 0 && v < 255) && /comfortable/.test(document.getElementById("legend").textContent));
    await spaces.evaluate(() => { throng.app.send({ do: "pause" }); throng.app.select({ kind: "person", run: throng.app.run, id: throng.app.run.frame.ids[7] }); });
    await known(spaces, () => /area\s*[\d.]+ m/.test(document.getElementById("inspector").textContent));
    const area = await spaces.evaluate(() => throng.app.person.quantities.area), time = await spaces.evaluate(() => throng.app.run.frame.time), id = await spaces.evaluate(() => throng.app.person.id);
    execFileSync(throng, ["run", "cpd/bottleneck", "--duration", "2", "--record", "area", "-o", join(folder, "area.csv"), "--quiet"]);
    const row = readFileSync(join(folder, "area.csv"), "utf8").split("\n").find((l) => l.startsWith(`${Math.round(10 * time)},${id},`));
    expect(`the area of person ${id} at ${time} s is ${area}, recorded ${row}`, Math.abs(Number(row.split(",")[4]) - area) < 0.03);
    execFileSync(throng, ["run", "forces/running-through", "--duration", "3", "--record", "net_force", "-o", join(folder, "forces.throng"), "--quiet"]);
    const forces = await make("forces.html", join(folder, "forces.throng"));
    await known(forces, () => throng.app.run.frame);
    await forces.click("label:has(#show-forces)");
    await known(forces, () => throng.app.run.frame.arrowX?.some((v) => v !== 0));
    await forces.selectOption("#colour-choice", "q:net_force_x");
    await known(forces, () => throng.app.run.frame.value && throng.app.run.frame.low < 0);
    const ways = await make("ways.html", "demo/two-exits", "--duration", "1");
    await known(ways, () => document.querySelector("#field-choice"));
    await ways.selectOption("#field-choice", "west");
    await known(ways, () => throng.app.overlays.fields.get(0)?.headings.some((h) => h > 0));
    await shut(spaces, forces, ways);
  },
  async "overlays have what the library says: spaces, cells, forces, ways"() {
    const open = async (scene) => {
      await page.evaluate((name) => throng.app.open({ scene: name }), scene);
      await page.waitForFunction((name) => throng.app.run.scene?.name === name && throng.app.run.frame?.time > 0.4, scene, patience);
    };
    await page.evaluate(() => throng.editor.open && throng.editor.close());
    const legend = (words) => page.waitForFunction((w) => document.getElementById("legend").textContent.includes(w), words, patience);
    await open("cpd/bottleneck");
    await page.click("label:has(#show-spaces)");
    await page.waitForFunction(() => throng.app.run.frame.layer?.some((v) => v > 0 && v < 255), undefined, patience);
    await legend("comfortable");
    const ink = await page.evaluate(() => {
      const gl = document.getElementById("people"), copy = new OffscreenCanvas(gl.width, gl.height).getContext("2d");
      copy.drawImage(gl, 0, 0);
      return copy.getImageData(0, 0, gl.width, gl.height).data.reduce((sum, v, i) => sum + (i % 4 === 3 && v > 128 ? 1 : 0), 0);
    });
    expect(`300 spaces of about half a square metre each are drawn: ${ink} pixels`, ink > 60_000);
    const thin = { throng: 1, name: "thin", walkable_area: [[0, 0], [8, 0], [8, 4], [0, 4]], obstacles: [{ line: [[4, 0], [4, 3.5]] }], goals: { end: { polygon: [[0, 0], [1, 0], [1, 1], [0, 1]] } }, agents: [{ at: [3.8, 1], goal: "end", desired_speed: 0.01 }], model: "cpd", duration: 60 };
    await page.evaluate((text) => throng.app.open({ text, name: "thin.json" }), JSON.stringify(thin));
    await page.waitForFunction(() => throng.app.run.scene?.name === "thin" && throng.app.run.frame?.layer && throng.app.run.part(performance.now()) === 1, undefined, patience);
    await page.waitForTimeout(300);
    const alphas = await page.evaluate(() => [3.4, 4.3].map((x) => {
      const gl = document.getElementById("people"), copy = new OffscreenCanvas(gl.width, gl.height).getContext("2d"), at = throng.app.camera.toScreen([x, 1.4], throng.stage.pane(0));
      copy.drawImage(gl, 0, 0);
      return copy.getImageData(at[0] * throng.stage.ratio, at[1] * throng.stage.ratio, 1, 1).data[3];
    }));
    expect(`a space ends at a thin wall: ${alphas}`, alphas[0] > 128 && alphas[1] === 0);
    await open("uic/door-2k");
    expect("spaces are gone with the model that has them", await page.evaluate(() => throng.app.overlays.under === "none"));
    await page.click("label:has(#show-cells)");
    await page.waitForFunction(() => throng.app.run.scene.cell === 1.5 && throng.app.run.frame.layer && throng.app.overlays.cellLayer(throng.app.run)?.picture.width > 3, undefined, patience);
    await legend("pressure");
    await open("forces/running-through");
    await page.click("label:has(#show-forces)");
    await page.waitForFunction(() => throng.app.run.frame.arrowX?.some((v) => v !== 0) && throng.app.run.frame.arrowUnit > 0, undefined, patience);
    await legend("contact force");
    await open("demo/two-exits");
    const goal = await page.evaluate(() => throng.app.run.scene.goals.find((g) => g.exit).name);
    await page.selectOption("#field-choice", goal);
    await page.waitForFunction((name) => throng.app.overlays.fields.get(0)?.goal === name && throng.app.overlays.fields.get(0).headings.some((h) => h > 0), goal, patience);
    await legend(`way to ${goal}`);
    await page.selectOption("#field-choice", "");
  },
  async "a server that is gone is told, and looked for"() {
    program.kill();
    await page.waitForFunction(() => /lost the server/.test(document.getElementById("state").textContent), undefined, patience);
    faults.length = 0; // the browser complains of connections that are refused
  },
};

/** Whether people of a frame are where a recording of the same run has them at that moment. */
function compare(people, time) {
  const recording = join(folder, "hall.csv");
  execFileSync(throng, ["run", join(folder, "hall.json"), "-o", recording, "--duration", "8", "--quiet"]);
  const [head, ...rows] = readFileSync(recording, "utf8").trim().split("\n").filter((l) => !l.startsWith("#")).map((l) => l.split(","));
  expect(`a recording has these columns: ${head}`, head.join() === "frame,id,pos_x,pos_y");
  const known = new Map(rows.filter((r) => Number(r[0]) === Math.round(time * 10)).map((r) => [Number(r[1]), [Number(r[2]), Number(r[3])]]));
  expect(`as many people as recorded: ${people.length}, ${known.size}`, people.length === known.size && people.length > 0);
  for (const [id, x, y] of people) {
    const at = known.get(id);
    expect(`person ${id} is at ${at}, not ${x / 1000}, ${y / 1000}`, Math.abs(at[0] - x / 1000) < 6e-4 && Math.abs(at[1] - y / 1000) < 6e-4);
  }
}

const failed = await runCases(cases, faults, () => page, folder);
await browser.close();
for (const one of started) one.kill();
process.exit(failed ? 1 : 0);
