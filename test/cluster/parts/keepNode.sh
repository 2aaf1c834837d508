#!/usr/bin/env bash
# Runs a node until standard input ends, which it does with whoever started this, in whatever way that ends. Then nothing of
# the node is left: its processes and containers are in a PID namespace, its files and mounts in a mount namespace, and its
# control groups below one. Who ends in order says so; after anything else the folder of the whole cluster goes too.
# keepNode.sh FOLDER NETWORK GROUP KUBERNETES IMAGE…
set -u
folder=$1 network=$2 group=$3
here=$(cd "$(dirname "$0")" && pwd)
# Ctrl-C goes to all processes of a terminal: what is to be cleaned up is cleaned up by this one.
trap '' INT TERM HUP
exec 3<&0
# Pods have their groups below one that the kubelet does not make itself.
if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then mkdir -p "/sys/fs/cgroup/$group"
else for hierarchy in /sys/fs/cgroup/*/; do mkdir -p "$hierarchy$group" 2>/dev/null; done; fi
setpriv --pdeathsig KILL -- nsenter --net="$network" -- unshare --mount --pid --fork --kill-child --mount-proc -- \
  "$here/runNode.sh" "$folder" "${@:4}" </dev/null 3<&- &
node=$!
word=$(cat <&3)
kill -KILL "$node"
wait "$node" 2>/dev/null
# A process is gone from its group a moment after it ended.
for _ in $(seq 50); do
  left=$(find /sys/fs/cgroup -depth -type d -path "*/$group*" ! -exec rmdir {} \; -print 2>/dev/null)
  [[ -n $left ]] || break
  sleep 0.1
done
[[ $word == closed ]] || folder=$(dirname "$folder")
rm -rf "$folder"
