#!/usr/bin/env bash
# The first process of a node: containerd and the kubelet, with all that they write in memory and in this mount namespace.
# runNode.sh FOLDER KUBERNETES IMAGE…
set -eu
folder=$1 kubernetes=$2
read -ra flags <"$folder/flags" || :
for path in /run /var/log /var/lib; do mount -t tmpfs -o mode=755 node "$path"; done
containerd --config "$folder/containerd.toml" >"$folder/containerd.log" 2>&1 &
until ctr --namespace k8s.io version >/dev/null 2>&1; do
  kill -0 $!
  sleep 0.05
done
for image in "${@:3}"; do ctr --namespace k8s.io images import "$image" >>"$folder/containerd.log"; done
"$kubernetes" kubelet --config "$folder/kubelet.yaml" --kubeconfig "$folder/../kubeconfig" "${flags[@]}" \
  >"$folder/kubelet.log" 2>&1 &
wait
