# A recording knows the place: exits, goals, zones, measuring lines and areas, closed doors, walls that go, and things. A
# picture of a recording has the same ground as one of the scenario: the same paths, but for those of people.
. "$SOURCE/test/cli/prelude.sh"

cat >place.json <<'JSON'
{
  "throng": 1, "name": "place",
  "walkable_area": [[0, 0], [20, 0], [20, 8], [0, 8]],
  "obstacles": [{"id": "gate", "polygon": [[10, 0], [10.3, 0], [10.3, 3], [10, 3]]}, {"line": [[5, 6], [6, 7]]}],
  "goals": {"main door": {"polygon": [[19, 3], [20, 3], [20, 5], [19, 5]], "exit": true},
            "side \"door\"": {"polygon": [[19, 6], [20, 6], [20, 7], [19, 7]], "exit": true},
            "kiosk": {"point": [14, 4], "radius": 0.5}, "till": {"point": [14.6, 4], "radius": 0.5}},
  "zones": [{"polygon": [[3, 1], [7, 1], [7, 3], [3, 3]], "speed_factor": 0.5}],
  "measure": {"lines": {"gate line": [[12, 0], [12, 8]]}, "areas": {"hall": [[14, 1], [18, 1], [18, 7], [14, 7]]}},
  "objects": [{"id": "crate", "box": [0.6, 0.6, 0.6], "at": [8, 4, 0.3], "yaw": 30, "mass": 20},
              {"ball": 0.4, "at": [2, 7, 0.4], "mass": 5, "velocity": [1, 0, 0]}],
  "agents": [{"count": 12, "in": [[0.5, 1], [4, 1], [4, 7], [0.5, 7]], "goal": "main door"}],
  "events": [{"time": 2, "close": "side \"door\""}, {"time": 3, "remove": "gate"}],
  "duration": 5
}
JSON
sed -e '/walkable_area/d' -e '/"events"/d' -e '/"objects"/,/"ball"/d' \
    -e 's/\[14, 1\], \[18, 1\], \[18, 7\], \[14, 7\]/[-2, -2], [18, -2], [18, 9], [-2, 9]/' place.json >plane.json

# The paths of a picture without those of people with their ticks and edges, which are blue.
ground() {
    grep '<path style="[^"]*;' "$1" | grep -v 'rgb(23.137255%,49.019608%,72.156863%)\|rgb(9.788235%,16.941176%,23.592157%)\|rgb(11.977451%,22.053922%,31.286275%)'
}

# FORMAT TIME SCENARIO: whether both pictures are the same.
compare() {
    "$THRONG" render "$3.json" --time "$2" -o scenario.svg --title x --quiet
    "$THRONG" render "$3.$1" --time "$2" -o recording.svg --title x --quiet
    ground scenario.svg | grep -v 'd="M 0\.\|stroke:none;"' >scenario.paths
    ground recording.svg | grep -v 'd="M 0\.\|stroke:none;"' >recording.paths
    if [ "$(wc -l <scenario.paths)" -gt 15 ] && cmp -s scenario.paths recording.paths; then
        echo "$3.$1 at $2 s: the same ground"
    else
        echo "$3.$1 at $2 s: another ground"
        diff scenario.paths recording.paths | head -5 | cut -c 1-200
    fi
}

"$THRONG" run place.json --quiet -o place.sqlite -o place.h5 -o place.throng
"$THRONG" run plane.json --quiet -o plane.sqlite -o plane.h5 -o plane.throng -o plane.txt -o plane.ndjson
"$THRONG" convert place.sqlite again.throng --quiet
"$THRONG" convert again.throng again.h5 --quiet
"$THRONG" convert again.h5 again.sqlite --quiet
cp place.json again.json
for time in 1 4.5; do
    for format in sqlite h5 throng; do
        compare $format $time place
        compare $format $time again
    done
done
for format in sqlite h5 throng txt ndjson; do compare $format 1 plane; done
