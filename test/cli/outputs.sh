# Where a run can write, and what happens when it cannot.
. "$SOURCE/test/cli/prelude.sh"
door >door.json

refused "no such directory" "no/such/dir/x.sqlite" run door.json -o no/such/dir/x.sqlite
refused "no such directory, text" "no/such/dir/x.txt" run door.json -o no/such/dir/x.txt
refused "unknown ending" "x.dat" run door.json -o x.dat
refused "no such directory, compact" "no/such/dir/x.throng" run door.json -o no/such/dir/x.throng
refused "twice the same" "would be written twice" run door.json -o x.txt -o ./x.txt
refused "recording and figures" "would be written twice" run door.json -o x.txt --stats x.txt
refused "figures over the scenario" "is the scenario" run door.json --stats ./door.json
refused "figures nowhere" "no/such/stats.json" run door.json -o x.txt --stats no/such/stats.json
refused "figures into a directory" "is a directory" run door.json -o x.txt --stats .
refused "second output bad" "no/such/y.txt" run door.json -o x.sqlite -o no/such/y.txt
ls

# What the scenario reads is never written.
echo 'POLYGON((0 0,20 0,20 10,0 10,0 0))' >plan.wkt
echo '{"throng": 1, "name": "p", "duration": 1, "walkable_area": {"file": "plan.wkt"}, "agents": [{"at": [5, 5]}]}' >planned.json
refused "figures over a plan" "that the scenario reads" run planned.json --stats ./plan.wkt
refused "a checkpoint over a plan" "that the scenario reads" run planned.json --checkpoint plan.wkt
cut -c1-7 plan.wkt

# A file that is there is replaced, and so is a link.
echo old >x.txt
mkdir elsewhere && ln -s elsewhere/figures.json figures.json && echo old >elsewhere/figures.json
"$THRONG" run door.json -o x.txt --stats figures.json --quiet && head -1 x.txt | cut -c1 && head -c1 figures.json
echo
cat elsewhere/figures.json

# A disk that fills up: the run fails, says which recording is cut short, and what there is can be read.
full() {
    code=0 rate=
    case $1 in *.csv) rate="--fps 10" ;; esac
    "$THRONG" run ../wander.json --duration 20000 -o "$1" --stats ../figures.json 2>../stderr || code=$?
    echo "[status $code]"
    grep -o "$1 is incomplete" ../stderr
    grep wrote ../stderr
    grep -o '"end":"[a-z]*"' ../figures.json
    if grep -q "holds the first [1-9]" ../stderr; then "$THRONG" render "$1" $rate --frame 0 -o ../full.png --quiet || echo "UNREADABLE"; fi
    rm -f "$1"
}
door "$wanderers" >wander.json
mkdir small
(cd small && ulimit -f 8000 && full full.txt && full full.sqlite && full full.csv)
grep -o "holds the first" stderr

# The same on a real small disk where one can be had, and otherwise once more.
trap 'umount small 2>/dev/null' EXIT
if mount -t tmpfs -o size=4m none small 2>/dev/null; then mounted=yes; else mounted=; fi
(cd small && { [ "$mounted" ] || ulimit -f 8000; } && full full.txt && full full.sqlite)

# Figures and lists that cannot be written are a failure, too.
try run door.json --stats /dev/full --quiet
"$THRONG" models >/dev/full
echo "[status $?]"
