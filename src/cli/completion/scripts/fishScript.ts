/** Completion for fish 3.1 and newer. fish quotes what it inserts. */
export const fishScript = String.raw`# fish completion for k8snet: k8snet completion fish | source
function __k8snet_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l current (string unescape -- "$typed" 2>/dev/null)
    or set current (string replace -r '^["\']' '' -- "$typed")
    set -l lines (command k8snet __complete --for=fish $words "$current" 2>/dev/null)
    string match -qr '^:[0-9]+$' -- "$lines[-1]"; or return
    set -l directive (string sub -s 2 -- $lines[-1])
    set -e lines[-1]
    for line in $lines
        printf '%s\n' $line
    end
    if test (math "floor($directive / 4) % 2") -eq 0
        set -l value $current
        set -l before (string match -r -- '^--[a-z-]+=' $value)
        test -n "$before"; and set value (string replace -r -- '^--[a-z-]+=' '' $value)
        if test (math "floor($directive / 16) % 2") -eq 1
            printf "$before%s\n" (__fish_complete_directories $value '')
        else
            printf "$before%s\n" (__fish_complete_path $value '')
        end
    end
end
complete -c k8snet -e
complete -c k8snet -f -a '(__k8snet_complete)'
`;
