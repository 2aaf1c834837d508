import type { CollectCommand } from './collectCommands.ts';

/**
 * A POSIX shell script that runs all commands, goes on where a tool is missing or fails and says so, and packs the
 * answers. It changes nothing but its own folder, which only its owner can read: dumps and objects tell much.
 */
export function collectScript(commands: readonly CollectCommand[]): string {
  return `${head}${commands.map(take).join('')}${tail}`;
}

function take({ file, words, needs, unless }: CollectCommand): string {
  // One that waits for an answer that never comes would hold up all others.
  const [program, ...rest] = words[0] === 'kubectl' ? ['kubectl', '--request-timeout=60s', ...words.slice(1)] : words;
  const line = `take ${file} ${[program, ...rest].join(' ')}
`;
  if (needs !== undefined) return `[ ! -e ${needs} ] || ${line}`;
  return unless === undefined ? line : `command -v ${unless} >/dev/null 2>&1 || ${line}`;
}

const head = `#!/bin/sh
# Gathers what k8snet compares: the rules of this node and, where kubectl works, the objects of the cluster.
# It reads only. Usage: sh collect.sh [FOLDER]   (default: k8snet-HOST-TIME, packed to FOLDER.tar.gz)
# Pods hold environment variables and ConfigMaps settings: look at the files before you share them.
set -u
umask 077

name=$(uname -n)
folder=\${1:-k8snet-$name-$(date -u +%Y%m%dT%H%M%SZ)}
case $folder in
  -*) folder=./$folder ;;
esac
if [ -e "$folder" ]; then
  echo "collect: $folder is there already; name another folder" >&2
  exit 1
fi
mkdir -p "$folder/dumps" "$folder/facts" "$folder/cluster" || exit 1
[ "$(id -u)" -eq 0 ] || echo "collect: not root: rules, sets and connections will be missing" >&2

taken=0
missing=

# take FILE COMMAND...: the answer into FILE; what was said on standard error, and failures, into errors.txt.
take() {
  file=$1
  shift
  if ! command -v "$1" >/dev/null 2>&1; then
    echo "$file: $1 is not installed" >>"$folder/errors.txt"
    case "$missing " in
      *" $1 "*) ;;
      *) missing="$missing $1" ;;
    esac
    return 0
  fi
  if ! "$@" >"$folder/$file" 2>"$folder/.said"; then
    echo "$file: failed: $*" >>"$folder/errors.txt"
    echo "collect: $file: $1 failed; see errors.txt" >&2
  fi
  if [ -s "$folder/.said" ]; then
    sed "s|^|$file: |" "$folder/.said" >>"$folder/errors.txt"
  fi
  rm -f "$folder/.said"
  if [ -s "$folder/$file" ]; then
    taken=$((taken + 1))
  else
    rm -f "$folder/$file"
  fi
}

`;

const tail = `
[ -z "$missing" ] || echo "collect: not installed:$missing" >&2
if command -v tar >/dev/null 2>&1 && command -v gzip >/dev/null 2>&1 &&
  tar -cf - "$folder" | gzip >"$folder.tar.gz"; then
  echo "collect: $taken files in $folder and $folder.tar.gz" >&2
else
  rm -f "$folder.tar.gz"
  echo "collect: $taken files in $folder" >&2
fi
[ "$taken" -gt 0 ]
`;
