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
