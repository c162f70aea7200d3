# Completion of harness in fish: save it as ~/.config/fish/completions/harness.fish, or
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
