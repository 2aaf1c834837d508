/**
 * Completion for bash 4.4 and newer, also without the package bash-completion. k8snet gets the line as it is typed and
 * returns words: nothing in it, and nothing in the answer, is evaluated.
 */
export const bashScript = String.raw`# bash completion for k8snet: source <(k8snet completion bash)
_k8snet() {
  local line directive= value
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :* && $line != *$'\t'* && $line =~ ^:[0-9]+$ ]]; then
      directive=$(( 10#\${line:1} ))
    else
      value=\${line%%$'\t'*}
      COMPREPLY+=("$value")
    fi
  done < <(command k8snet __complete --for=bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [[ -z $directive ]]; then
    COMPREPLY=()
    return 0
  fi
  (( directive & 2 )) && compopt -o nospace
  # What stands before the files may be a name as well.
  if (( (directive & 4) == 0 )); then
    if (( directive & 16 )); then compopt -o dirnames; else compopt -o default; fi
  fi
  return 0
}
complete -F _k8snet k8snet
`.replaceAll('\\${', '${');
