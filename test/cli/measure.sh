# throng measure: made-up trajectories whose figures are known, what is not known, and what is refused.
. "$SOURCE/test/cli/prelude.sh"

# A stream at 1 m/s, everybody 1 m apart in two rows 1 m apart, in a corridor 2 m wide: one person per m2, and two a
# second pass a line across.
stream() {
    awk -v fps="$1" 'BEGIN {
        print "# framerate: " fps; print "# id frame x/m y/m"
        for (k = 0; k < 20 * fps; k++) for (i = 0; i < 40; i++) {
            x = 0.5 + i % 20 + k / fps - 19.03
            if (x > 0 && x < 20) printf "%d %d %.6f %.1f\n", i + 1, k, x, i < 20 ? 0.5 : 1.5
        }
    }'
}
stream 10 >stream.txt
corridor="POLYGON ((0 0, 20 0, 20 2, 0 2, 0 0))"
try measure stream.txt --walkable "$corridor" --area middle=2,0,6,0,6,2,2,2 --line across=4,2,4,0 --from 8 --to 14
"$THRONG" measure stream.txt --walkable "$corridor" --area middle=2,0,6,0,6,2,2,2 --line across=4,2,4,0 --from 8 --to 14 --json - |
    sed 's/,"/\n"/g' | grep -E '"(flow|specific_flow|time_gap_mean_s|crossed|to_right|area_m2|overlaps|wall_crossings|way_efficiency|axis_degrees|from_s|walled)"'

echo "the same bytes for any number of threads:"
for threads in 1 2 5; do "$THRONG" measure stream.txt --walkable "$corridor" --quiet --threads $threads --csv out; cksum <out-people.csv; done
head -3 out-people.csv

# Fundamental diagrams by four methods, and maps as data: 1 person per m2 at 1 m/s everywhere.
"$THRONG" measure stream.txt --walkable "$corridor" --area middle=2,0,6,0,6,2,2,2 --line across=4,2,4,0 --from 8 --to 14 --axis 0 --border single --grid 1 --gaussian 1 --csv out --json out.json --quiet
awk -F, '{n[$1]++; d[$1] += $5; v[$1] += $6} END {for (k in n) if (n[k] > 1) printf "%s %.3f %.3f\n", k, d[k] / n[k], v[k] / n[k]}' out-fd.csv | sort
grep -o '"method":"[a-z]*"' out.json
grep -E "^(3.5|4.5)," out-maps.csv
grep -oE '"(columns|rows|cell_m|gaussian_m|half_period_m)":[0-9.a-z]*' out.json

# The report is one page that asks no server for anything.
"$THRONG" measure stream.txt --walkable "$corridor" --area "middle<1>=2,0,6,0,6,2,2,2" --line across=4,2,4,0 --quiet --report page.html
grep -o "<figcaption>[^<,]*" page.html
grep -c -E "https?:|src=|<script|middle<1>" page.html

# What cannot be known is absent.
try measure stream.txt --line nowhere=100,0,100,2 --area outside=50,0,51,0,51,1 --json none.json --quiet
grep -oE '"(flow|first_s|overlaps|force_max|wall_crossings|cut_off_m)":[a-z0-9.]*' none.json
try measure stream.txt --walkable "$corridor" --area beyond=3,5,4,5,4,6 --area half=3,1,4,1,4,3,3,3 --area none=19.5,0,20,0,20,0.1 --json none.json --quiet
grep -oE '"(classic_density|voronoi_density|voronoi_speed)":.."?count":[0-9]+' none.json
printf '# framerate: 10\n# id frame x/m y/m\n7 3 1 1\n7 4 1.1 1\n' >one.txt
try measure one.txt --walkable "$corridor" --quiet --json one.json
grep -oE '"(people|speed_mean|nearest_min|pressure_max|overlaps|egress_last|collision_exponent)":[a-z0-9.-]+' one.json
stream 200 | sed 's/framerate: 200/framerate: 4000/' >fast.txt
try measure fast.txt --walkable "$corridor" --quiet
grep -v "^17 5. " stream.txt >gap.txt
try measure gap.txt --walkable "$corridor" --quiet
printf '# framerate: 15\n# id frame x/m y/m\n1 6 0 0\n1 12 0.4 0\n1 18 0.8 0\n2 18 5 5\n' >video.txt
try measure video.txt --cut-off 1

# A recording of ours measures itself: its lines, areas, walls and radii are in it.
door "$people, \"model\": \"orca\", \"measure\": {\"lines\": {\"door\": [[10.2, 3.8], [10.2, 2.2]]}, \"areas\": {\"front\": [[8, 2], [10, 2], [10, 4], [8, 4]]}}" >door.json
"$THRONG" run door.json -o door.sqlite --quiet
"$THRONG" measure door.sqlite | grep -E "^(area|line)|crossed|overlaps" | numbers
"$THRONG" measure door.sqlite --json a.json --quiet
"$THRONG" measure door.json --json b.json --quiet
for file in a.json b.json; do grep -oE '"crossed":[0-9]+' $file; done

# The same as it goes: a row with each frame, without a recording, too.
"$THRONG" run door.json --measure grown.csv --quiet
head -1 grown.csv
tail -1 grown.csv | cut -d, -f 2,3,8,9
awk -F, 'NF != 13' grown.csv
"$THRONG" run door.json --duration 1 --every 5 --measure - --quiet | wc -l
refused "the scenario itself" "is the scenario" run door.json --measure door.json

# Resumed, it keeps what was there, and goes on as if it had never ended but for who left and passed.
"$THRONG" run door.json --duration 6 --measure part.csv --checkpoint half.state --quiet
try run --resume half.state --duration 20 --measure part.csv | grep -E "part|status"
for file in grown.csv part.1.csv part.csv; do cut -d, -f 1,2,4-8,11-13 $file | sed 1d >cut-$file; done
sed 1d cut-part.csv | cat cut-part.1.csv - | cmp - cut-grown.csv && wc -l <cut-grown.csv
refused "twice" "written twice" run door.json -o a.csv --measure a.csv
refused "no folder" "cannot write" run door.json --measure nowhere/a.csv --quiet

# Goals: who stands before them. One of three people stands for 4 s, 3 m before it leaves.
awk 'BEGIN {
    print "# framerate: 10\n# id frame x/m y/m"
    for (k = 0; k < 100; k++) {
        t = k / 10; if (t < 6) print 1, k, t, 1
        stood = t < 3 ? 0 : t < 7 ? t - 3 : 4
        print 2, k, t - stood, 2; print 3, k, -t, 3
    }
}' >queue.txt
cat >queue.json <<TXT
{"throng": 1, "name": "queue", "model": "orca", "agents": [{"in": [[0, 0], [1, 0], [1, 1], [0, 1]], "count": 1, "goal": "out"}],
 "goals": {"out": {"polygon": [[6, 0], [7, 0], [7, 4], [6, 4]], "exit": true}, "far": {"polygon": [[60, 0], [70, 0], [70, 4], [60, 4]]}}}
TXT
"$THRONG" measure queue.txt --scenario queue.json | sed -n '/^goal/,$p'

# Obstacles of an open plane are there, too, when a scenario is measured without a recording; forces where the model has them.
cat >pillar.json <<TXT
{"throng": 1, "name": "pillar", "duration": 8, "model": "orca-forces", "obstacles": [{"polygon": [[3, -1], [4, -1], [4, 1], [3, 1]]}],
 "agents": [{"in": [[0, -1], [2, -1], [2, 1], [0, 1]], "count": 16, "goal": "out"}], "goals": {"out": {"polygon": [[4.2, -0.3], [5, -0.3], [5, 0.3], [4.2, 0.3]], "exit": true}}}
TXT
"$THRONG" run pillar.json -o pillar.sqlite --record forces --quiet
for file in pillar.json pillar.sqlite; do
    "$THRONG" measure $file --json - 2>/dev/null | sed 's/,"/\n"/g' | grep -E '^"(wall_crossings|outside|without_cell|people|nearest_min|force_max|load_time)"'
done
"$THRONG" measure pillar.json --model orca --json - 2>/dev/null | grep -o '"force_max":null'

# Pairs of two recordings are twice as many.
for more in "" "--pool stream.txt"; do "$THRONG" measure stream.txt --json - $more 2>/dev/null | grep -oE '"time_to_collision":.?"pairs":[0-9]+'; done
refused "no such recording to pool" "cannot read" measure stream.txt --quiet --pool nothing.txt

refused "no file" "cannot read" measure nothing.txt
refused "half a point" "expected NAME=x,y" measure stream.txt --line a=1,2,3
refused "no name" "expected NAME=x,y" measure stream.txt --area 1,2,3,4,5,6
refused "no number" "expected NAME=x,y" measure stream.txt --line a=1,2,3,b
refused "a line of no length" "no length" measure stream.txt --line a=1,2,1,2
refused "an area that crosses itself" "crosses itself" measure stream.txt --area a=0,0,4,4,4,0,0,2
refused "no such time" "no frames" measure stream.txt --from 100
refused "walls twice" "either" measure stream.txt --walkable "$corridor" --scenario door.json
refused "bad walls" "walkable" measure stream.txt --walkable "POLYGON"
