/** Completion for zsh, as a file `_k8snet` on the fpath, or sourced after `compinit`. zsh quotes what it inserts. */
export const zshScript = String.raw`#compdef k8snet
# zsh completion for k8snet: source <(k8snet completion zsh), or a file _k8snet on the fpath
_k8snet() {
  local line directive='' value note
  local -a values shown nospace
  while IFS= read -r line; do
    if [[ $line == :<-> ]]; then
      directive=\${line#:}
      continue
    fi
    value=\${line%%$'\t'*}
    note=''
    [[ $line == *$'\t'* ]] && note=\${line#*$'\t'}
    values+=("$value")
    shown+=("$value\${note:+  -- $note}")
  done < <(command k8snet __complete --for=zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  [[ -n $directive ]] || return 1
  (( directive & 2 )) && nospace=(-S '')
  local found=1
  if (( $#values )); then
    compadd "\${nospace[@]}" -l -d shown -a -- values && found=0
  fi
  if (( (directive & 4) == 0 )); then
    compset -P '--[a-z-]#='
    if (( directive & 16 )); then _files -/ && found=0; else _files && found=0; fi
  fi
  return found
}
if [[ $funcstack[1] == _k8snet ]]; then
  _k8snet "$@"
else
  compdef _k8snet k8snet
fi
`.replaceAll('\\${', '${');
