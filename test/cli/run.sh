# A run: clean stdout, the summary, the figures, and the same result however it is computed.
. "$SOURCE/test/cli/prelude.sh"
door >door.json

"$THRONG" run door.json -o door.sqlite -o door.txt --every 1 --stats stats.json >stdout 2>stderr
echo "[status $?]"
cat stdout
grep -c 'overlapped' stderr
grep -vE 'overlapped|into a wall' stderr | numbers
sed 's/"digest":"[0-9a-f]*"/"digest":"X"/; s/p95/p../; s/over_5pct/over_.pct/; s/"orca":{[^}]*}/"orca":{}/' stats.json | numbers
"$THRONG" run door.json --quiet --no-check --stats - | sed 's/.*\("overlap":.*\),"evacuation.*/\1/'
"$THRONG" run door.json --quiet 2>&1 | wc -l

one=$(digest door.json --threads 1)
for threads in 2 3 5 8; do [ "$(digest door.json --threads $threads)" = "$one" ] && echo "$threads threads: same"; done
[ "$(digest door.json --simd plain)" = "$one" ] && echo "plain: same"
[ "$(digest door.json --no-check)" = "$one" ] && echo "no check: same"
[ "$(digest door.json -o again.sqlite)" = "$one" ] && echo "recorded: same"
[ "$(digest door.json --seed 7 --dt 0.1 --set seed=3 --model orca)" = "$one" ] && echo "said again: same"
[ "$(digest door.json --seed 8)" != "$one" ] && echo "another seed: another"
[ "$(digest door.json --dt 0.05)" != "$one" ] && echo "another dt: another"
[ "$(digest door.json --model none)" != "$one" ] && echo "another model: another"

"$THRONG" run door.json --set agents[0].count=10 --quiet --stats - | grep -o '"initial":[0-9]*'
"$THRONG" run door.json --duration 2 --quiet --stats - | grep -o '"steps":[0-9]*,"simulated_s":[0-9.]*'
"$THRONG" run door.json --duration 2 --quiet --stats - | grep -oE '"(evacuation_s|end)":[a-z"]*'
"$THRONG" run door.json --duration 60 --quiet --stats - | grep -oE '"end":[a-z"]*|"arrived":[0-9]+'
"$THRONG" run door.json --duration 2 --stats /dev/null --quiet; ls -l /dev/null | cut -c1

# How often it records: ten frames a second, or every N-th step.
frames() { "$THRONG" run door.json --duration 2 -o frames.txt "$@" 2>/dev/null && grep -v '^#' frames.txt | cut -f2 | sort -un | wc -l; }
frames
frames --dt 0.05
frames --dt 0.02 --every 10
grep framerate frames.txt
