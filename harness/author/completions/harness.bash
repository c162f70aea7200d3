# Completion of harness in bash: source it, for example from ~/.bashrc:
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
