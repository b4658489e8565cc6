# Bad input is refused before the run, with status 2, the word that matters, and no file left behind.
. "$SOURCE/test/cli/prelude.sh"

# bad NAME WORD KEYS: runs the door with other keys, and looks for a recording that must not be there.
bad() {
    door "$3" >bad.json
    refused "$1" "$2" run bad.json -o bad.sqlite -o bad.txt --stats stats.json
    for file in bad.sqlite bad.txt stats.json; do if [ -e $file ]; then echo "LEFT BEHIND: $file"; fi; done
}
goal='"goal": "out"'
bad "unknown key" "did you mean 'obstacles'" "$people, \"obstacle\": []"
bad "unknown model" "orcas" "$people, \"model\": \"orcas\""
bad "goal that does not exist" "nowhere" '"agents": [{"at": [1, 1], "goal": "nowhere"}]'
bad "agent in a wall" "agents[0]" "\"agents\": [{\"at\": [10.2, 1], $goal}]"
bad "overlapping starts" "overlap" "\"agents\": [{\"at\": [[1, 1], [1.1, 1]], $goal}]"
bad "negative radius" "radius" "\"agents\": [{\"at\": [1, 1], $goal, \"radius\": -1}]"
bad "too many to fit" "500" "\"agents\": [{\"in\": [[0.5, 0.5], [2, 0.5], [2, 2], [0.5, 2]], \"count\": 500, $goal}]"
bad "not a number" "bad.json" "\"agents\": [{\"at\": [1, NaN], $goal}]"
bad "unknown parameter" "did you mean 'time_horizon'" "$people, \"model\": {\"name\": \"orca\", \"params\": {\"time_horizn\": 2}}"
bad "parameter out of range" "time_horizon" "$people, \"model\": {\"name\": \"orca\", \"params\": {\"time_horizon\": -2}}"
region() { bad "$1" "$2" "$people, \"regions\": [{$3}]"; }
region "region without a model" "'model' is missing" '"around": [1, 1], "within": 2'
region "region without a shape" "polygon" '"model": "orca"'
region "region without a distance" "'within' is missing" '"around": [1, 1], "model": "orca"'
region "distance of a polygon" "goes with 'around'" '"polygon": [[0, 0], [1, 0], [1, 1]], "within": 2, "model": "orca"'
region "region of no model" "unknown model 'orka'" '"around": [1, 1], "within": 2, "model": "orka"'

door >door.json
# with NAME WORD OVERRIDE
with() { refused "$1" "$2" run door.json --set "$3" -o bad.sqlite && if [ -e bad.sqlite ]; then echo "LEFT BEHIND"; fi; }
with "self-crossing area" "walkable_area" 'walkable_area=[[0,0],[20,6],[20,0],[0,6]]'
with "zero dt" "dt" "dt=0"
with "unreachable goal" "reach" 'obstacles=[{"polygon": [[10,-1],[10.4,-1],[10.4,7],[10,7]]}]'
with "unknown planner" "planner" "planner.name=crystal-ball"
with "unknown path" "--set" "agents[7].count=3"
with "no such key" "frobnicate" "frobnicate=3"

printf '{\n "throng": 1,\n "name": "x",\n "dt": 0.1 "seed": 3\n}\n' >syntax.json
refused "syntax error" "syntax.json:4:" run syntax.json
printf '' >empty.json
refused "empty file" "empty.json" run empty.json
head -c 100000 /dev/zero | tr '\0' '[' >deep.json
refused "deep nesting" "deep.json" run deep.json
head -c 1000 /dev/zero >zeros.json
refused "zero bytes" "zeros.json" run zeros.json
refused "missing file" "no-such-file" run no-such-file.json
refused "a directory" "." run .
refused "nearly a built-in name" "did you mean 'demo/bottleneck'" run demo/bottlenek

# Every error is told, not only the first.
door "\"agents\": [{\"at\": [1, 1], \"goal\": \"nowhere\"}, {\"at\": [2, 2], $goal, \"radius\": -1}], \"sede\": 1" >three.json
"$THRONG" check three.json 2>&1 | grep -c error:
