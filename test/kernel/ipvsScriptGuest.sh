#!/bin/sh
# Runs inside a guest kernel (ipvsScript.test.ts starts it): runs the scripts of a folder and writes down what the kernel
# holds after each.
#   FOLDER/states         names of scripts, one a line: each is run twice, and the second run is watched
#   FOLDER/versions       the same, from nothing and to nothing
#   FOLDER/refused        names of scripts that must fail and change nothing
set -u
folder=$1
here=$(dirname "$0")
cd "$folder" || exit 1

dump() {
  ipvsadm -Sn >"$1.ipvs"
  ipset save >"$1.ipset"
  ip -o addr show >"$1.addresses"
  iptables-save -c >"$1.rules.v4"
  ip6tables-save -c >"$1.rules.v6"
}

# Programs that can change something, as the second run finds them: they write down how they were called.
mkdir tools
for tool in iptables-restore ip6tables-restore ipset ipvsadm ip; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/called"\nexec %s "$@"\n' "$tool" "$folder" "$(command -v "$tool")" >"tools/$tool"
  chmod +x "tools/$tool"
done

run() {
  sh "$1.sh" >"$2.stdout" 2>"$2.stderr"
  echo $? >"$2.status"
  dump "$2"
}

# The node, hosts behind eth0, pods behind cni0. Addresses count at once: else `tentative` comes and goes by the clock.
for scope in all default; do echo 0 >"/proc/sys/net/ipv6/conf/$scope/accept_dad"; done
for name in hosts pods; do ip netns add "$name"; done
ip link add eth0 type veth peer name eth0 netns hosts
ip link add cni0 type veth peer name eth0 netns pods
for address in 192.168.10.1/24 192.168.10.2/24 fd00:192:168:10::2/64; do ip addr add "$address" dev eth0; done
ip addr add 10.244.1.1/24 dev cni0
ip link set eth0 up
ip link set cni0 up
for host in 50 51 52 53; do ip -n hosts addr add "192.168.10.$host/24" dev eth0; done
for pod in 11 12 13; do ip -n pods addr add "10.244.1.$pod/24" dev eth0; done
for name in hosts pods; do
  ip -n "$name" link set lo up
  ip -n "$name" link set eth0 up
done
ip -n hosts route add default via 192.168.10.1
ip -n pods route add default via 10.244.1.1
# A REJECT must answer each time.
echo 0 >/proc/sys/net/ipv4/icmp_ratelimit

while read -r name; do
  run "$name" "$name.once"
  ipvsadm -Ln --timeout >"$name.once.timeouts"
  : >called
  PATH=$folder/tools:$PATH run "$name" "$name.twice"
  grep -Ev '^(ipvsadm -S|ipvsadm -L|ipset save|ip -o addr show|ip link show)' called >"$name.changes"
done <states

# What a killed run leaves behind.
ipset create k8snet-3 hash:ip
dump last
while read -r name; do run "$name" "$name"; done <refused

# Virtual services of others, in and out of what is excluded.
for service in '-t 203.0.113.120:9999' '-t 10.50.1.1:80' '-u [fd00:50:8::1]:53' '-t 198.51.100.77:80' '-u [fd00:60::1]:53' '-f 7'; do
  # shellcheck disable=SC2086
  ipvsadm -A $service -s rr
done
run excluded excluded

# Clean-up, with things of others around.
sh mixed-random-dual.sh >/dev/null
ipset create MINE hash:ip
ipset create KUBE-SRC-ABC hash:ip
iptables -N MINE
iptables -A FORWARD -j MINE
iptables -t nat -N CNI-HOSTPORT-MASQ
ipvsadm -A -t 198.51.100.77:80 -s rr
ipvsadm -A -t 192.168.10.1:5000 -s rr
run cleanup cleanup.once
run cleanup cleanup.twice
iptables -t nat -N CNI-USER
sh mixed-random-dual.sh >/dev/null
iptables -t nat -A CNI-USER -j KUBE-MARK-MASQ
run cleanup cleanup.used
iptables -t nat -F CNI-USER
iptables -t nat -X CNI-USER
run cleanup cleanup.again

# Traffic, with nothing of others left.
ipvsadm -C
for set in MINE KUBE-SRC-ABC; do ipset destroy "$set"; done
iptables -D FORWARD -j MINE
iptables -X MINE
iptables -t nat -X CNI-HOSTPORT-MASQ
ip netns exec pods perl "$here/ipvsPeer.pl" serve 8080 &
ask() { ip netns exec hosts perl "$here/ipvsPeer.pl" ask "$@"; }
run before before
ask 192.168.10.50 10.96.0.10 80 30 >answers.cluster-ip
ask 192.168.10.50 192.168.10.1 30080 30 >answers.node-port
for host in 51 52 53; do ask "192.168.10.$host" 10.96.0.11 80 6 >"answers.sticky-$host"; done
ask 192.168.10.50 10.96.0.14 80 2 >answers.empty
ask 192.168.10.50 10.96.0.10 8080 2 >answers.other-port
perl "$here/ipvsPeer.pl" ask 0.0.0.0 10.96.0.10 80 6 >answers.from-node
# Three connections that stay open, one to each endpoint: round robin.
for number in 1 2 3; do
  ip netns exec hosts perl "$here/ipvsPeer.pl" hold 10.96.0.10 80 "$folder" >"held.$number" &
  eval "held$number=\$!"
done
while [ "$(cat held.1 held.2 held.3 | wc -l)" -lt 3 ]; do sleep 0.1; done
# The kernel adds its counters up every two seconds.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  ipvsadm -Ln --stats --exact >stats.before
  [ "$(awk '$2 == "10.96.0.10:80" { print $3 }' stats.before)" -ge 33 ] && break
  sleep 1
done
ipvsadm -Sn >wanted-before
run after after
ipvsadm -Ln --stats --exact >stats.after
: >go
# shellcheck disable=SC2154
wait "$held1" "$held2" "$held3"
ask 192.168.10.50 10.96.0.10 80 10 >answers.cluster-ip-after
ask 192.168.10.50 10.96.0.13 80 2 >answers.new
# Nobody answers, maybe.
ip netns exec hosts env PATIENCE=3 perl "$here/ipvsPeer.pl" ask 192.168.10.50 10.96.0.12 80 2 >answers.gone
# A pod that meets itself.
ip netns exec pods perl "$here/ipvsPeer.pl" ask 10.244.1.12 10.96.0.13 80 2 >answers.hairpin

# Scheduler flags and marks: what they look like here.
ipvsadm -C
ipvsadm -R <"$folder/strange"
dump strange
ipvsadm -Ln >strange.listed

# What other versions wrote.
ipvsadm -C
sh cleanup.sh >/dev/null
while read -r name; do
  run "$name" "$name.once"
  ipvsadm -Ln --timeout >"$name.once.timeouts"
  : >called
  PATH=$folder/tools:$PATH run "$name" "$name.twice"
  grep -Ev '^(ipvsadm -S|ipvsadm -L|ipset save|ip -o addr show|ip link show)' called >"$name.changes"
done <versions
sh cleanup.sh >/dev/null
dump emptied
echo finished >"$folder/finished"
