"""The scripts that ask for words to complete, one for each shell (see `harness.author.completion`)."""

# bash takes `=` and `:` for the ends of words, so the words are cut anew from the line, and of what is found only
# what stands behind the last such sign is put in.
BASH = r"""# Completion of harness in bash: source it, for example from ~/.bashrc:
#   source <(harness completion bash)
_harness_complete() {
    local line="${COMP_LINE:0:COMP_POINT}" current stem word IFS=$' \t\n'
    local -a words
    read -r -a words <<< "$line"
    [[ "$line" == *[[:blank:]] ]] && words+=("")
    current="${words[-1]}"
    stem="${current%"${current##*[=:]}"}"
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        if [[ "$word" == $'\x01files' ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${current#"$stem"}")
        elif [[ -n "$word" ]]; then
            COMPREPLY+=("${word#"$stem"}")
            [[ "$word" == *= ]] && compopt -o nospace 2>/dev/null
        fi
    done < <("${1/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -F _harness_complete harness
"""

ZSH = r"""#compdef harness
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
"""

FISH = r"""# Completion of harness in fish: save it as ~/.config/fish/completions/harness.fish, or
#   harness completion fish | source
function __harness_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] __complete $words[2..-1] 2>/dev/null)
        if string match -q \x01files -- $line
            set -l current (commandline -ct)
            set -l stem (string match -r '^.*[=,]' -- $current)
            for path in (__fish_complete_path (string sub -s (math 1 + (string length -- "$stem")) -- $current))
                echo "$stem$path"
            end
        else
            echo $line
        end
    end
end
complete -c harness -f -a '(__harness_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
