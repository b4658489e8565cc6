# A place that changes while people walk: what is told of it, and the same result for any number of threads.
. "$SOURCE/test/cli/prelude.sh"
cat >niche.json <<'EOF'
{"throng": 1, "name": "niche", "duration": 10,
 "walkable_area": [[0, 0], [0.5, 0], [0.5, 4], [0, 4]],
 "obstacles": [{"id": "gate", "polygon": [[0, 3.8], [0.5, 3.8], [0.5, 4], [0, 4]]}],
 "agents": [{"at": [0.25, 1]}],
 "events": [{"time": 1, "move": "gate", "by": [0, -3.6], "during": 2}]}
EOF
"$THRONG" run niche.json --stats - 2>stderr | grep -oE '"active":[0-9]+|"agent_wall_max_m":[0-9.e-]+'
grep -o "obstacle 'gate' waits" stderr

cat >exits.json <<'EOF'
{"throng": 1, "name": "exits", "duration": 60,
 "walkable_area": [[0, 0], [20, 0], [20, 10], [0, 10]],
 "obstacles": [{"polygon": [[10, 0], [10.3, 0], [10.3, 4], [10, 4]]}, {"polygon": [[10, 6], [10.3, 6], [10.3, 10], [10, 10]]},
               {"id": "gate", "polygon": [[10.05, 4], [10.25, 4], [10.25, 6], [10.05, 6]]}],
 "goals": {"low": {"polygon": [[18, 0], [20, 0], [20, 3], [18, 3]], "exit": true},
           "high": {"polygon": [[18, 7], [20, 7], [20, 10], [18, 10]], "exit": true}},
 "zones": [{"polygon": [[12, 0], [14, 0], [14, 10], [12, 10]], "speed_factor": 0.5}],
 "agents": [{"in": [[0, 0], [9, 0], [9, 10], [0, 10]], "count": 40, "goal": {"any": ["low", "high"]}}],
 "events": [{"time": 2, "move": "gate", "by": [0, 2], "during": 2}, {"time": 3, "close": "high"}]}
EOF
"$THRONG" run exits.json --quiet --stats - 2>stderr | grep -oE '"agent_wall_max_m":[0-9.e-]+'
"$THRONG" run exits.json --quiet --stats - 2>stderr | sed -E 's/.*"arrived":([0-9]+),"active":([0-9]+).*/\1 + \2/' | xargs expr
one=$(digest exits.json --threads 1 2>stderr)
for threads in 2 3 5 8; do [ "$(digest exits.json --threads $threads 2>stderr)" = "$one" ] && echo "$threads threads: same"; done
# Events alone do not keep a run going.
"$THRONG" run exits.json --set 'events[1].time=1000' --quiet --stats - 2>stderr | grep -oE '"end":[a-z"]*'
"$THRONG" check exits.json --set 'events[0].move=gat' 2>&1 | grep -o "there is no obstacle.*"

# A gate that closes before people come to it cuts them off, which is told once.
"$THRONG" run exits.json --set 'events[0].time=0.2' --set 'events[0].by=[0,0.0001]' --set 'zones=[]' --duration 5 2>&1 | grep "cut off" | numbers
