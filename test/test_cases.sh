# The scenarios of the verification cases are what the converter makes of the cases; what the cases check is what
# `throng verify` asks; and what holds for orca in the table that is kept still does.

cd "$SOURCE"
validate/convert.py validate/cases/*.json -o "$OLDPWD/made"
cd "$OLDPWD"
for suite in made/*; do
    diff -r "$suite" "$SOURCE/scenarios/$(basename "$suite")" || {
        echo "validate/convert.py validate/cases/*.json -o scenarios brings them up to date"
        exit 1
    }
done

"$THRONG" verify --list --model orca >criteria.csv
cat >checks.py <<'PY'
import csv, glob, json, os, sys

# Checks that are left out: the limits of age groups are those of means, and people are drawn with a spread.
LEFT_OUT = {("rimea_07_demographics", "range"), ("rimea_12c_two_bottlenecks", "time_course")}
# Those that became two, or go by another name.
PARTS = {"door_flow": ["door_flow_least", "door_flow_most"], "counts": ["counts_main", "counts_secondary"],
         "jams": ["jam_at_room_exit", "jam_at_stairs"], "chi2": ["chi2_x", "chi2_y"]}

asked = {}
for row in csv.DictReader(open("criteria.csv", encoding="utf-8")):
    asked.setdefault(row["criterion"], []).append((row["case"], row["asked"]))


def same(check, bound):
    """Whether a bound is the check's; what a check says in words has none to compare."""
    value = check["value"]
    if check["op"] == "in":
        return bound == f"{value[0]:g} .. {value[1]:g}"
    if check["op"] in ("<=", ">=", "<", ">") and not isinstance(value, bool):
        return bound == f"{check['op']} {value:g}"
    return True


wrong = 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
    case = json.load(open(path, encoding="utf-8"))
    suite, _, rest = case["id"].partition("_")
    scenario = f"{suite}/{rest.replace('_', '-')}"
    stem = scenario.split("-")[0]
    for check in case["checks"]:
        if (case["id"], check["id"]) in LEFT_OUT:
            continue
        for name in PARTS.get(check["id"], [check["id"]]):
            found = [bound for of, bound in asked.get(name, []) if of.startswith(scenario) or (check.get("needs") and of.startswith(stem))]
            found += [bound for of, bound in asked.get(name, []) if of == "iso/07-overtaking" and suite == "iso" and rest.startswith("07")]
            found += [bound for of, bound in asked.get(name, []) if of == "iso/06-counterflow by people" and rest.startswith("06")]
            if not found:
                print(f"{path}: '{check['id']}' is not asked by throng verify")
                wrong += 1
            elif name == check["id"] and not any(same(check, bound) for bound in found):
                print(f"{path}: '{check['id']}': {check['op']} {check['value']}, but throng verify asks {found}")
                wrong += 1
sys.exit(wrong > 0)
PY
python3 checks.py "$SOURCE/validate/cases"

# One seed of orca; the table that is kept has more.
"$THRONG" verify --model orca --seeds 1 --quiet --csv now.csv
awk -F, '/,orca,/ && /,(guideline|program),/ && /,holds$/ { print $1 "," $2 }' "$SOURCE/validate/results/verify.csv" >hold
awk -F, '/,orca,/ && /,FAILS/ { print $1 "," $2 }' now.csv | grep -xF -f hold >worse && {
    echo "These held with orca, and do not any more:"
    cat worse
    exit 1
}
exit 0
