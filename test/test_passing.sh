# Short forms of what claims_pbd.py measures at length: `pbd` overlaps nowhere where the explicit power law does, crossing groups
# get through, a cluster in a circle turns and comes free, friction holds up a bottleneck.

"$SOURCE/validate/claims_pbd.py" --quick short >table || { cat table; exit 1; }
grep -c holds table >count
[ "$(cat count)" -ge 9 ] || { echo "claims are missing"; cat table; exit 1; }
