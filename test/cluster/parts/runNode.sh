#!/usr/bin/env bash
# The first process of a node: containerd and the kubelet, with all that they write in memory and in this mount namespace.
# runNode.sh FOLDER KUBERNETES IMAGE…
set -eu
folder=$1 kubernetes=$2
read -ra flags <"$folder/flags" || :
for path in /run /var/log /var/lib; do mount -t tmpfs -o mode=755 node "$path"; done
# The kubelet wants these settings of the kernel, which are the whole machine's: it sees what it wants, and sets nothing.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=/run/seen/${setting%=*}
  mkdir -p "${file%/*}"
  echo "${setting#*=}" >"$file"
  mount --bind "$file" "/proc/sys/${setting%=*}"
done
containerd --config "$folder/containerd.toml" >"$folder/containerd.log" 2>&1 &
until ctr --namespace k8s.io version >/dev/null 2>&1; do
  kill -0 $!
  sleep 0.05
done
for image in "${@:3}"; do ctr --namespace k8s.io images import "$image" >>"$folder/containerd.log"; done
"$kubernetes" kubelet --config "$folder/kubelet.yaml" --kubeconfig "$folder/../kubeconfig" "${flags[@]}" \
  >"$folder/kubelet.log" 2>&1 &
wait
