# throng sweep: which runs there are, one table whatever happens meanwhile, parts that are joined, and what is refused.
. "$SOURCE/test/cli/prelude.sh"
door "$people, \"model\": \"orca\", \"measure\": {\"lines\": {\"door\": [[10.2, 3.8], [10.2, 2.2]]}, \"areas\": {\"front\": [[8, 2], [10, 2], [10, 4], [8, 4]]}}" >door.json
door "$wanderers" >roam.json
cat >short.json <<TXT
{"throng": 1, "name": "short", "dt": 0.1, "duration": 0.5, "walkable_area": [[0, 0], [10, 0], [10, 4], [0, 4]],
 "goals": {"out": {"polygon": [[9, 0], [10, 0], [10, 4], [9, 4]], "exit": true}},
 "profiles": {"adult": {"desired_speed": 1.3}},
 "agents": [{"in": [[0.5, 0.5], [5, 0.5], [5, 3.5], [0.5, 3.5]], "count": 3, "goal": "out", "profile": "adult"}]}
TXT
sweep() { "$THRONG" sweep "$@"; }
columns() { cut -d, -f"$1" | tr '\n' ' '; echo; }
# Without the times, which are the last two columns.
timeless() { sed -E 's/(,[^,]*){2}$//' "$1"; }
# Until a table has that many rows; others may look at it while it is written.
wait_rows() {
    tries=0
    until "$THRONG" sweep --merge "$1" -o look.sqlite --csv look.csv -q 2>/dev/null && [ "$(wc -l <look.csv)" -gt "$2" ]; do
        rm -f look.sqlite
        sleep 0.05
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return
    done
    rm -f look.sqlite
}

echo "grid: models, values as given, seeds"
sweep short.json --models orca,none --set 'agents[0].count=2..6:2' --set dt=0.1,0.05 --seeds 2 -q --csv - | columns 2-5
sweep short.json --set profiles.adult.desired_speed=0.8..1.2:0.1,2 --seeds 5..6 -q --csv - | columns 3-4
sweep short.json --set 'agents[0].goal="out",out' --set 'duration=1..0:-0.5' -q --csv - | columns 3-5
echo "Latin hypercube: each fifth of each range has one point"
latin() { sweep short.json --set profiles.adult.desired_speed=0.5..1.5 --set 'agents[0].count=1..10' --set dt=0.1,0.2 --latin 5 -q --csv - "$@"; }
latin | awk -F, 'NR > 1 && $5 == 0.1 { print int(($3 - 0.5) * 5); whole += $4 == int($4) } END { print "whole: " whole > "/dev/stderr" }' | sort | tr '\n' ' '
latin | awk -F, 'NR > 1 && $5 == 0.2 { print int(($4 - 0.5) / 2) }' | sort | tr '\n' ' '
latin | cut -d, -f3-5 | cksum >one; latin --jobs 3 | cut -d, -f3-5 | cksum | cmp - one && echo "the same points again"
latin --latin-seed 2 | cut -d, -f3-5 | cksum | cmp -s - one || echo "others with another seed"
echo "table"
printf 'agents[0].count,agents[0].goal\n2,out\n3,"out"\r\n' >points.csv
sweep short.json --table points.csv --seeds 2 -q --csv - | columns 1-5

echo "the same table for any number of jobs, and after kill -9"
all="door.json --set agents[0].count=20,40 --models orca,powerlaw --seeds 3"
try sweep $all -o whole.sqlite --csv whole.csv --jobs 2
sweep $all -q --csv one.csv --jobs 1
"$THRONG" sweep $all -q -o killed.sqlite --jobs 1 &
pid=$!
wait_rows killed.sqlite 1
kill -KILL $pid
wait $pid 2>/dev/null
sweep $all -o killed.sqlite --csv killed.csv --jobs 3 2>&1 | sed -E 's/^[0-9]+ of 12 (.*) with [0-9]+/some of 12 \1 with the others/'
for file in one killed; do timeless $file.csv >$file; timeless whole.csv | cmp - $file; done
try sweep $all -o whole.sqlite
head -1 whole.csv | tr , '\n' | grep -E 'line|area|egress|_s$'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["people"] == $at["left"] { all++ } END { print all " runs in which all arrived" }' whole.csv

echo "the figures of \`throng run\` and \`throng measure\`"
"$THRONG" run door.json --set 'agents[0].count=20' --seed 3 --model powerlaw -q --stats - -o run.sqlite >stats
"$THRONG" measure run.sqlite --border adaptive --json measured.json --quiet
stat() { grep -oE "\"$1\":\"?[0-9a-f.]+" "$2" | head -1 | sed 's/.*[:"]//'; }
echo "$(stat digest stats),$(stat evacuation_s stats),$(stat crossed measured.json),$(stat flow measured.json)" >by_hand
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $2 == "powerlaw" && $3 == 20 && $4 == 3 {
    print $at["digest"] "," $at["egress_last"] "," $at["line.door.passed"] "," $at["line.door.flow"] }' whole.csv | cmp - by_hand && echo same

echo "a run that crashes, takes too long or cannot be is a row"
"$THRONG" sweep roam.json --set duration=1,1e6,2 -q --jobs 1 -o crash.sqlite --csv crash.csv &
pid=$!
wait_rows crash.sqlite 1
kill -ABRT $(cat /proc/$pid/task/$pid/children)
wait $pid
echo "[status $?]"
columns 1,3,7 <crash.csv
sweep roam.json --set duration=1,1e6,2 -q --timeout 1 -o crash.sqlite --retry --csv - | columns 1,3,7
sweep door.json --set 'agents[0].count=10,99999' -q --csv - 2>/dev/null | cut -c1-60 | columns 1,3,7

echo "Ctrl-C"
env --default-signal=INT "$THRONG" sweep roam.json --set duration=1,1e6 -o ended.sqlite --jobs 2 2>stderr &
pid=$!
wait_rows ended.sqlite 1
kill -INT $pid
wait $pid
echo "[status $?] $(cat stderr)"

echo "parts"
few="short.json --set agents[0].count=2,3 --seeds 3"
sweep $few -q --csv few.csv
sweep $few --list -o 'my results.sqlite' | head -1
sweep $few --list -o 'my results.sqlite' | sed "s|^throng|'$THRONG'|" | sh
try sweep --merge "my results.0.sqlite" "my results.1.sqlite" -o joined.sqlite
try sweep --merge my*.sqlite -o joined.sqlite --csv joined.csv
timeless joined.csv >joined; timeless few.csv | cmp - joined
sweep $few --slurm job.sh --parts 4 -o p.sqlite
cat job.sh
for task in 0 1 2 3; do SLURM_ARRAY_TASK_ID=$task THRONG=$THRONG sh job.sh; done
sweep --merge p.part-*.sqlite -o p.sqlite --csv p.csv -q
timeless p.csv >joined; timeless few.csv | cmp - joined

refused "an unknown key" "did you mean 'count'" sweep door.json --set 'agents[0].cuont=1,2' --csv -
refused "an unknown list" "did you mean 'agents'" sweep door.json --set 'agent[0].count=1,2' --csv -
refused "a word for a number" "expected a whole number" sweep door.json --set 'agents[0].count=1,two' --csv -
refused "no values" "empty value" sweep door.json --set dt=,1 --csv -
refused "no step" "range without a step" sweep door.json --set dt=0.1..0.2 --csv -
refused "a step of 0" "step of 0" sweep door.json --set dt=0.1..0.2:0 --csv -
refused "the wrong way" "leads away" sweep door.json --set dt=0.1..0.2:-1 --csv -
refused "a million values" "more than a million" sweep door.json --set dt=0..1:1e-9 --csv -
refused "too many runs" "too many" sweep door.json --set dt=0.1..1:0.001 --seeds 100000 --csv -
refused "twice" "given twice" sweep door.json --set dt=1,2 --set dt=3 --csv -
refused "models by --set" "with --models" sweep door.json --set model=orca,pbd --csv -
refused "an unknown model" "did you mean 'orca'" sweep door.json --models orca,orka --csv -
refused "another model's parameter" "no parameter" sweep door.json --models orca,powerlaw --set model.params.time_horizon=1,2 --csv -
refused "no seeds" "--seeds" sweep door.json --seeds x --csv -
refused "nothing to draw" "nothing to draw" sweep door.json --latin 4 --csv -
refused "a table that is not there" "cannot read" sweep door.json --table none.csv --csv -
printf 'dt\n0.1,0.2\n' >bad.csv
refused "a table with holes" "bad.csv:2: expected 1" sweep door.json --table bad.csv --csv -
refused "nowhere" "where to" sweep door.json
refused "no scenario" "no file" sweep nothing.json --csv -
refused "another sweep" "holds a sweep with other" sweep door.json --seeds 3 -o whole.sqlite
echo " " >>door.json
refused "a scenario that has changed" "it has changed" sweep $all -o whole.sqlite
"$THRONG" run short.json -q -o recording.sqlite
refused "a recording" "something else" sweep door.json --seeds 3 -o recording.sqlite
refused "a recording anew" "something else" sweep door.json --seeds 3 -o recording.sqlite --anew
refused "no directory" "cannot write" sweep door.json --seeds 3 -o none/out.sqlite
refused "no directory for CSV" "cannot write" sweep door.json --seeds 3 --csv none/out.csv
refused "over the scenario" "is the scenario" sweep door.json --csv door.json
refused "no such run" "runs 0 to 5" sweep $few --only 6 --csv -
refused "no such part" "expected I/N" sweep $few --part 4/4 --csv -
refused "merging what does not belong together" "same sweep" sweep --merge p.sqlite whole.sqlite -o other.sqlite
refused "merging a recording" "not a table" sweep --merge recording.sqlite -o other.sqlite
test ! -e other.sqlite
