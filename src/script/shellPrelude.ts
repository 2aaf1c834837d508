import { lockFunctions } from './iptables/lockFunctions.ts';

const temporary = '$' + '{TMPDIR:-/tmp}';

/**
 * What every generated script begins with: strict mode, `fail`, `need`, `setting`, the lock that lets one script run at a
 * time, and a working folder `$work` that is removed at the end. `undo` is a shell function that the script defines; it
 * runs if the script stops before `done=yes`.
 */
export function shellPrelude(purpose: string): string {
  return `#!/bin/sh
# ${purpose}
# Written by k8snet. Needs root. Stops at the first failure.
locked=no
set -eu
LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH
umask 077

fail() {
  echo "k8snet: $1" >&2
  exit 1
}

# need PROGRAM...: all of them must be there.
need() {
  for program in "$@"; do
    command -v "$program" >/dev/null 2>&1 || fail "$program is not installed"
  done
}

# setting NAME VALUE: a kernel setting, written only where it differs. One that cannot be made is named and passed over,
# as kube-proxy does: some belong to the host alone and are read-only in a network namespace.
setting() {
  file=/proc/sys
  rest=$1.
  while [ -n "$rest" ]; do
    file=$file/\${rest%%.*}
    rest=\${rest#*.}
  done
  if [ ! -e "$file" ]; then
    echo "k8snet: this kernel has no $1; passed over" >&2
  elif ! { read -r now <"$file" && [ "$now" = "$2" ]; }; then
    { echo "$2" >"$file"; } 2>/dev/null || echo "k8snet: cannot set $1 to $2; passed over" >&2
  fi
}

${lockFunctions}# Nothing is to be undone before the lock is taken.
done=yes
# A run that was killed leaves its folder, and another process may have its number.
work=$(mktemp -d "${temporary}/k8snet.XXXXXX" 2>/dev/null) || {
  work=${temporary}/k8snet.$$
  mkdir "$work" || fail "cannot make the folder $work"
}

finish() {
  status=$?
  trap - EXIT HUP INT TERM
  if [ "$done" = no ]; then
    undo || :
    [ "$status" -ne 0 ] || status=1
  fi
  rm -rf "$work"
  drop_lock
  exit "$status"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
take_lock
done=no

`;
}

/** The `undo` of a script whose steps are all or nothing by themselves. */
export const noUndo = `undo() {
  :
}

`;

/** Of an `undo`: loads the way back of every tool whose rules were touched; `what` they are called in its messages. */
export function restoreLoaded(what: 'rules' | 'policies'): string {
  return `  for tool in $loaded; do
    if "$tool-restore" -w 5 --noflush <"$work/$tool.back"; then
      echo "k8snet: the former ${what} of $tool are back" >&2
    else
      echo "k8snet: cannot put the former ${what} of $tool back" >&2
    fi
  done
`;
}
