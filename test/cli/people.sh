# People who come while it runs, who wait at a goal and line up before it, and what is said of them.
. "$SOURCE/test/cli/prelude.sh"

door '"sources": [{"in": [[0, 0], [2, 0], [2, 2], [0, 2]], "rate": 2, "until": 5, "journey": [
    {"point": [6, 3], "wait": 1}, "out"]}]' >line.json
try check line.json
"$THRONG" run line.json --duration 100 --stats - 2>/dev/null | grep -o '"agents":{[^}]*}'
one=$("$THRONG" run line.json --quiet --threads 1 --stats - | sed 's/.*"digest"//')
three=$("$THRONG" run line.json --quiet --threads 3 --stats - | sed 's/.*"digest"//')
[ "$one" = "$three" ] && echo "the same with three threads"

# Nobody can leave: the room they come into fills up, and the rest waits outside.
door '"sources": [{"in": [[0, 0], [2, 0], [2, 2], [0, 2]], "rate": 5}]' >full.json
"$THRONG" run full.json --stats stats.json 2>&1 | numbers
sed 's/.*"agents"/"agents"/; s/}.*/}/' stats.json | numbers
