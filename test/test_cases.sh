# The scenarios of the verification cases are what the converter makes of the cases, and what the
# issues of the field call binding holds with orca.

cd "$SOURCE"
validate/convert.py validate/cases/*.json -o "$OLDPWD/made"
cd "$OLDPWD"
for suite in made/*; do
    diff -r "$suite" "$SOURCE/scenarios/$(basename "$suite")" || {
        echo "validate/convert.py validate/cases/*.json -o scenarios brings them up to date"
        exit 1
    }
done
"$SOURCE/validate/check.py" --throng "$THRONG" >table || { cat table; exit 1; }
