# Completes throng's verbs, options and built-in scenes in bash, by what the program says of itself.
_throng() {
    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$(throng --help | awk '/^  [a-z]+ +[^ ]/ && !/^  throng/ { print $1 }')
    elif [ "$before" = --model ] || [ "$before" = --models ]; then
        words=$(throng models | awk 'NF == 0 { exit } { print $1 }')
    elif [ "${word#-}" != "$word" ]; then
        words=$(throng "$verb" --help 2>/dev/null | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+')
    else
        compopt -o default
        words=$(throng scenarios | awk 'index($1, "/") { print $1 }')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _throng throng
