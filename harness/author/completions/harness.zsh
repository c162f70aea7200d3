#compdef harness
# Completion of harness in zsh: save it as _harness in a directory of $fpath, or after compinit:
#   source <(harness completion zsh)
_harness() {
    local line word meaning
    local -a found shown keys keys_shown
    for line in "${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        word="${line%%$'\t'*}"
        meaning="${line#*$'\t'}"
        if [[ "$word" == $'\x01files' ]]; then
            if [[ "$PREFIX" == *=* ]]; then
                local -a state=("$PREFIX" "$IPREFIX")
                compset -P '*[=,]'
                _files
                PREFIX="$state[1]" IPREFIX="$state[2]"
            else
                _files
            fi
        elif [[ "$word" == *= ]]; then
            keys+=("$word")
            keys_shown+=("$word${meaning:+  -- $meaning}")
        elif [[ -n "$word" ]]; then
            found+=("$word")
            shown+=("$word${meaning:+  -- $meaning}")
        fi
    done
    (( $#keys )) && compadd -S '' -l -d keys_shown -a keys
    (( $#found )) && compadd -l -d shown -a found
}
if [[ "$funcstack[1]" == "_harness" ]]; then _harness "$@"; else compdef _harness harness; fi
