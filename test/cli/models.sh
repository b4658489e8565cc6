# The models and their parameters.
. "$SOURCE/test/cli/prelude.sh"
try models
try models none
try models none --json
# What there is to say of each parameter; what is said is the model's business.
"$THRONG" models orca | grep -E '^  (max_neighbours|neighbour_dist|time_horizon|time_horizon_obst) = ' | numbers
"$THRONG" models orca | grep -q 'default from: ' && echo sources
"$THRONG" models --json | grep -o '"name":"[a-z-]*","title"'
"$THRONG" models orca --json |
    grep -oE '\{"name":"(max_neighbours|time_horizon)","unit":"[^"]*","kind":"[a-z]*","low":[^,]*,"default":[^,]*,"high":[^,]*,"words":\[\],"help":"[A-Z]' | numbers

# Old names are still read, with a note.
for old in '"implicit", "params": {"symmetry_angle": 0.01}'; do
    echo '{"throng": 1, "name": "old", "duration": 1, "model": {"name": '"$old"'}, "goals": {"east": {"direction": [1, 0]}}, "agents": [{"at": [[0, 0]], "goal": "east"}]}' >old.json
    "$THRONG" check old.json 2>&1 | grep note
done

# Parameters on the command line are those of the model named there; where nobody takes it, that is said.
echo '{"throng": 1, "name": "own", "duration": 1, "model": "orca", "goals": {"east": {"direction": [1, 0]}}, "agents": [{"grid": {"origin": [0, 0], "columns": 4, "rows": 4, "spacing": [0.6, 0.6]}, "goal": "east"}]}' >own.json
for set in 0 0.4; do
    "$THRONG" run own.json --model powerlaw --set model.params.symmetry=$set --stats own.$set >/dev/null 2>&1
done
cmp -s own.0 own.0.4 || echo "takes effect"
"$THRONG" run own.json --model powerlaw --set model.params.time_horizon=1 2>&1 | grep error
"$THRONG" run own.json --model powerlaw --set model.params.tau0=1 --set 'agents[0].model=pbd' 2>&1 | grep warning

# Who sees nobody cannot keep a pace.
"$THRONG" run own.json --model none --set model.params.pace=true 2>&1 | grep error
"$THRONG" run own.json --set 'agents[0].pace=true' --set 'agents[0].model=none' 2>&1 | grep error
"$THRONG" models cpd | grep -A1 ' fundamental_diagram = '

# Who people are.
try models --people
"$THRONG" run own.json --set people=streets 2>&1 | grep error
"$THRONG" run own.json --set people=street --set 'agents[0].pace=false' 2>&1 | grep error
"$THRONG" run own.json --set people=paper --set model.params.pace=true 2>&1 | grep error
echo '{"throng": 1, "name": "who", "people": "crowd", "goals": {"east": {"direction": [1, 0]}}, "agents": [{"at": [0, 0], "goal": "east"}]}' >who.json
"$THRONG" check who.json 2>&1 | grep error
