// How fast the module is beside the program with one thread, in CPU time: node speed.mjs THRONG MODULE [SCENE SECONDS ...]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { open } from "./module.mjs";

const [throng, module, ...asked] = process.argv.slice(2);
const runs = asked.length ? asked : ["demo/bottleneck", "60", "orca/random-10k", "20", "pbd/dense-passing", "10"];
const web = await open(readFileSync(module));

/** CPU time of the program in s, without what it takes to begin. */
function own(scene, seconds) {
  const time = (until) => {
    const said = execFileSync("sh", ["-c", 'times=$("$0" run "$1" --duration "$2" --threads 1 --quiet >/dev/null 2>&1; times); echo "$times"', throng, scene, until], { encoding: "utf8" });
    const [, minutes, rest] = /(\d+)m([\d.]+)s/.exec(said.trim().split("\n").pop());
    return 60 * Number(minutes) + Number(rest);
  };
  return time(seconds) - time("0.0001");
}
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

for (let i = 0; i < runs.length; i += 2) {
  const [scene, seconds] = [runs[i], runs[i + 1]], ratios = [];
  for (let k = 0; k < 5; k++) {
    web.command({ do: "open", scene, paused: true });
    const before = process.cpuUsage().user;
    web.run(Number(seconds));
    ratios.push(own(scene, seconds) / ((process.cpuUsage().user - before) / 1e6));
  }
  console.log(`${scene}: ${median(ratios).toFixed(2)} of the program's speed (${ratios.map((r) => r.toFixed(2)).join(" ")})`);
}
