# What the test scripts share. The program is $THRONG, the sources are in $SOURCE.

# try ARGUMENTS...: runs the program and shows what it says and its exit status.
try() {
    echo "\$ throng $*"
    code=0
    "$THRONG" "$@" 2>&1 </dev/null || code=$?
    echo "[status $code]"
}

# refused NAME WORD ARGUMENTS...: the program must exit with 2, say WORD on stderr and nothing on stdout.
refused() {
    name=$1 word=$2
    shift 2
    code=0
    "$THRONG" "$@" >stdout 2>stderr </dev/null || code=$?
    if [ $code -ne 2 ]; then
        echo "NOT REFUSED, status $code: $name"
    elif ! grep -qF -- "$word" stderr; then
        echo "NO WORD OF '$word': $name"
        cat stderr
    elif [ -s stdout ]; then
        echo "STDOUT NOT CLEAN: $name"
    else
        echo "refused: $name"
    fi
}

# numbers: replaces every number by N (and kB or MB by B), for what differs from run to run.
numbers() { sed -E 's/-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/N/g; s/N [kMG]B/N B/'; }

# digest ARGUMENTS...: runs for a while and prints the digest of the state then.
digest() { "$THRONG" run "$@" --duration 8 --quiet --stats - | sed -E 's/.*"digest":"([0-9a-f]{16})".*/\1/'; }

# door [KEYS]: a room with a door and forty people, as a scenario; KEYS come in place of the people and the model.
door() {
    cat <<TXT
{
  "throng": 1, "name": "door", "seed": 7, "dt": 0.1, "duration": 20,
  "walkable_area": [[0, 0], [20, 0], [20, 6], [0, 6]],
  "obstacles": [
    {"id": "left", "polygon": [[10, 0], [10.4, 0], [10.4, 2.2], [10, 2.2]]},
    {"id": "right", "polygon": [[10, 3.8], [10.4, 3.8], [10.4, 6], [10, 6]]},
  ],
  "goals": {"out": {"polygon": [[18, 0], [20, 0], [20, 6], [18, 6]], "exit": true}},
  ${1:-$people, \"model\": \"orca\"}
}
TXT
}
people='"agents": [{"in": [[0.5, 0.5], [7, 0.5], [7, 5.5], [0.5, 5.5]], "count": 40, "goal": "out",
    "desired_speed": {"normal": [1.34, 0.2], "min": 0.8, "max": 1.9}}]'

# Somebody is always on the way.
wanderers='"agents": [{"in": [[0.5, 0.5], [9, 0.5], [9, 5.5], [0.5, 5.5]], "count": 50,
    "goal": {"random_in": [[0.5, 0.5], [9, 0.5], [9, 5.5], [0.5, 5.5]], "repeat": true}}]'

# wait_for FILE BYTES: until the file is that large, or half a minute has gone by.
wait_for() {
    tries=0
    while [ "$(wc -c 2>/dev/null <"$1" || echo 0)" -lt "$2" ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}
