# What is said of a good file, of a bad one, and of several.
. "$SOURCE/test/cli/prelude.sh"
door >door.json
try check door.json --set agents[0].desired_speed=1.2
door '"agents": [
    {"at": [1, 1], "goal": "out", "group": "staff", "radius": 0.25, "start_after": 3},
    {"at": [[3, 3], [4, 4]], "goal": {"x": 9}, "desired_speed": 1, "model": "none"}],
  "model": {"name": "orca", "params": {"time_horizon": 2}}, "run_full": true, "seed": 3' | sed 's/"seed": 7, //' >two.json
try check two.json
door '"agents": [], "obstacle": [], "model": "orca"' >bad.json
try check door.json bad.json missing.json >three
grep -c 'good$' three
grep -c 'error:' three
tail -1 three
try check door.json --set agents[0].count=1 --set dt=0.05 | grep -E 'people|clock|status'
try check door.json --set agents[0].count=-1 | grep -c error:
"$THRONG" check --schema | head -c 1
echo
# A picture, of a good file and of a refused one.
try check door.json --picture door.png | tail -2
door '"agents": []' | sed 's/"walkable_area".*/"walkable_area": [[0,0],[9,9],[9,0],[0,9]],/' >crossed.json
try check crossed.json --picture crossed.svg
head -c 4 door.png | tail -c 3
echo
try check door.json crossed.json --picture both.png
try check door.json --picture door.gif
grep -c '<svg' crossed.svg
# What a message quotes from a file is shown as text, whatever bytes it has.
printf '0\nSECTION\n2\nENTITIES\nx\033[31m\200\303\244\n1\n' >odd.dxf
echo '{"throng": 1, "name": "odd", "walkable_area": {"file": "odd.dxf"}, "agents": []}' >odd.json
try check odd.json
# Zones, events in the order they happen, and where it is measured.
door '"agents": [], "zones": [{"polygon": [[1,1],[2,1],[2,2],[1,2]], "speed_factor": 0.5, "params": {"time_horizon": 1}}],
  "events": [{"time": 5, "open": "out"}, {"time": 3, "close": "out"}, {"time": 9, "set": "desired_speed", "to": 1.5}],
  "measure": {"lines": {"middle": [[4,0],[4,3]]}, "areas": {"corner": [[0,0],[2,0],[2,2],[0,2]]}},
  "model": "orca"' >marked.json
try check marked.json | sed -n '/zones/,/corner/p'
# A bound that cuts what another parameter asks for.
door | sed 's/"model": "orca"/"model": {"name": "pbd", "params": {"tau0": 200}}/' >far.json
try check far.json | grep reach
try check far.json --set model.params.tau0=20 | grep -c reach || true

# A goal along a wall that is thinner than bodies is warned of, one as wide as they are is not.
for wide in 0.15 0.25; do
    door "\"goals\": {\"out\": {\"polygon\": [[19.8, 0], [20, 0], [20, 6], [19.8, 6]]}}, $people, \"model\": \"orca\"" | sed '0,/"goals"/{/"goals"/d}' |
        sed "s/\"count\": 40/\"count\": 40, \"radius\": $wide/" >thin.json
    "$THRONG" check thin.json 2>&1 >/dev/null
    echo "[radius $wide: status $?]"
done
