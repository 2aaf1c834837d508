const temporary = '$' + '{TMPDIR:-/tmp}';
const seconds = '$' + '{K8SNET_LOCK_SECONDS:-60}';

/**
 * `take_lock` and `drop_lock`: one script at a time changes a network namespace, others wait for it, at most
 * K8SNET_LOCK_SECONDS. `locked`: `here`, or `outside` in a script that runs inside one that has the lock. flock lets go when its holder
 * and all its children have ended, in whatever way; where it is missing a folder is the lock, with its holder's process id.
 */
export const lockFunctions = `# take_lock: waits until no other script of k8snet runs in this network namespace.
take_lock() {
  [ "$locked" = no ] || return 0
  space=$(readlink /proc/self/ns/net 2>/dev/null) || space=
  space=\${space#*[}
  for folder in /run "${temporary}"; do
    lock=$folder/k8snet.\${space%]}.lock
    if [ -d "$folder" ] && [ -w "$folder" ]; then break; fi
  done
  patience=${seconds}
  case $patience in
    *[!0-9]*) fail "K8SNET_LOCK_SECONDS is not a number: $patience" ;;
  esac
  give_up=$(($(date +%s) + patience))
  until try_lock; do
    [ "$(date +%s)" -lt "$give_up" ] ||
      fail "another script of k8snet runs on this node and holds $lock, for $patience seconds now; nothing was changed"
    sleep 0.2 2>/dev/null || sleep 1
  done
  locked=here
}

# A file that its last holder removed is no lock: whoever comes next makes a new one.
try_lock() {
  if command -v flock >/dev/null 2>&1; then
    held=$lock
    exec 9>>"$lock" || fail "cannot write $lock"
    # Every shell of Linux knows -ef.
    # shellcheck disable=SC3013
    flock -n 9 && [ "$lock" -ef /proc/self/fd/9 ]
  elif mkdir "$lock.d" 2>/dev/null; then
    held=$lock.d
    echo $$ >"$lock.d/holder"
  else
    holder=$(cat "$lock.d/holder" 2>/dev/null) || holder=
    # Of those who find that the holder is dead, one takes its lock away.
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null && mkdir "$lock.d.old" 2>/dev/null; then
      if [ "$(cat "$lock.d/holder" 2>/dev/null)" = "$holder" ]; then rm -rf "$lock.d"; fi
      rmdir "$lock.d.old"
    fi
    return 1
  fi
}

drop_lock() {
  [ "$locked" = here ] || return 0
  rm -rf "$held"
  locked=no
}

`;
