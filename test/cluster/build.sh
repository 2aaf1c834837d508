#!/usr/bin/env bash
# Builds the programs of a real cluster from their Go modules: the control plane and kubectl of the first version,
# kube-proxy of each.
#   test/cluster/build.sh [VERSION…]        default: what the tests run
# They go to ${K8SNET_CLUSTER:-~/.cache/k8snet-cluster}, one file a program and version; what is there is not built again.
# Beside them: Helm, and an image for Pods (from Debian's busybox-static, by buildah).
# Needs Go and the network. The control plane takes some ten minutes on two cores, a further kube-proxy four.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${K8SNET_CLUSTER:-$HOME/.cache/k8snet-cluster}
((${#@})) || set -- 1.36.3 1.37.2
# A module proxy need not have the checksum database of old patch releases beside it.
export GONOSUMDB=${GONOSUMDB:-k8s.io/*}
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# From 1.21 on Go fetches whatever later Go a module asks for; the Go of older systems fetches it here, as a module.
useGo() {
  [[ $(go env GOVERSION) =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] < 21)) || return 0
  if [[ ! -x $cache/go/bin/go ]]; then
    local module found
    module=golang.org/toolchain@v0.0.1-go1.26.0.linux-$(go env GOARCH)
    found=$(cd "$work" && GONOSUMDB=golang.org/toolchain go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    rm -rf "$cache/go"
    cp -r --no-preserve=mode "$found" "$cache/go"
    # A module has no modes of its own.
    chmod -R +x "$cache/go/"{bin,pkg/tool}
  fi
  export PATH=$cache/go/bin:$PATH
}

# build PROGRAM VERSION SOURCE: a module that requires Kubernetes itself, whose go.mod names its own parts without versions.
build() {
  local program=$1 version=$2 source=$3
  local out=$cache/$program-$version parts=v0.${version#1.}
  [[ ! -x $out ]] || return 0
  useGo
  echo "building $program $version"
  local module=$work/$program-$version
  mkdir "$module"
  cp "$here/parts/$source" "$module/main.go"
  (
    cd "$module"
    go mod init cluster >/dev/null 2>&1
    go mod edit -require="k8s.io/kubernetes@v$version"
    go mod download "k8s.io/kubernetes@v$version"
    declared=$(go env GOMODCACHE)/k8s.io/kubernetes@v$version/go.mod
    while read -r part; do
      go mod edit -replace="$part=$part@$parts"
    done < <(sed -n 's#^[[:space:]]*\(k8s\.io/[a-z0-9-]*\) v0\.0\.0\( .*\)\?$#\1#p' "$declared" | sort -u)
    go mod edit -go="$(sed -n 's/^go //p' "$declared")"
    go mod tidy 2>tidy.log || { tail -n 5 tidy.log >&2; exit 1; }
    go build -trimpath -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" -o "$out.new" .
  )
  mv "$out.new" "$out"
}

# An image FROM scratch: there is no registry. It serves as the Pods' sandbox too, which only has to be there.
buildPodImage() {
  [[ ! -f $cache/pod.tar ]] || return 0
  echo 'building an image for Pods'
  local context=$work/pod store=(--storage-driver vfs --root "$work/store" --runroot "$work/run")
  mkdir -p "$context/bin"
  cp /bin/busybox "$context/bin/"
  printf '%s\n' 'FROM scratch' 'COPY bin/ /bin/' 'RUN ["/bin/busybox", "--install", "-s", "/bin"]' 'ENV PATH=/bin' \
    'ENTRYPOINT ["/bin/busybox"]' 'CMD ["sleep", "2147483647"]' >"$context/Dockerfile"
  buildah "${store[@]}" bud --quiet --isolation chroot --tag localhost/pod:1 "$context" >/dev/null
  buildah "${store[@]}" push --quiet localhost/pod:1 "oci-archive:$work/pod.tar:localhost/pod:1"
  mv "$work/pod.tar" "$cache/pod.tar"
}

buildHelm() {
  [[ ! -x $cache/helm ]] || return 0
  useGo
  echo "building Helm $helmVersion"
  GOBIN=$work go install -trimpath -ldflags '-s -w' "helm.sh/helm/v3/cmd/helm@v$helmVersion" 2>"$work/helm.log" ||
    { tail -n 5 "$work/helm.log" >&2; exit 1; }
  mv "$work/helm" "$cache/helm"
}
helmVersion=3.22.0

if command -v buildah >/dev/null && [[ -x /bin/busybox ]]; then
  buildPodImage
else
  echo "no image for Pods: apt-get install buildah busybox-static" >&2
fi
buildHelm
first=$1
build hyper "$first" hyper.go.txt
build kubectl "$first" kubectl.go.txt
for version in "${@:2}"; do
  build kube-proxy "$version" proxy.go.txt
done
