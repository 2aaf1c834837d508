import type { FindingCode } from './problemCode.ts';

/** For every finding a few lines that show it: of a dump, of manifests, or of what is asked for. `#` lines explain. */
export const findingExamples: Readonly<Record<FindingCode, string>> = {
  K8N101: `$ iptables-legacy-save | grep -c KUBE-SVC
212
$ iptables-nft-save | grep -c KUBE-SVC
208`,
  K8N102: `-A KUBE-SERVICES -d 10.96.0.10/32 -p udp -m comment --comment "kube-system/kube-dns:dns cluster IP" -j KUBE-SVC-TCOU7JCQXEZGVUNU
# --dport 53 is missing`,
  K8N103: "# Table `filter` is incompatible, use 'nft' tool.",
  K8N104: '-A INPUT -s 0.0.0.0/32 -j KUBE-FIREWALL',
  K8N105: `-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING`,
  K8N106: `*nat
-A PREROUTING -p tcp -j ISTIO_INBOUND
-A OUTPUT -p tcp -j ISTIO_OUTPUT
COMMIT
# no KUBE-SERVICES at all`,
  K8N107: `$ k8snet diff -f cluster.yaml node1.save
# cluster.yaml has dual-stack Services, node1.save only what iptables-save printed; add ip6tables-save`,
  K8N108: `# iptables-nft-save has
:KUBE-IPTABLES-HINT - [0:0]
# and iptables-legacy-save has
:KUBE-SERVICES - [0:0]`,
  K8N109: `-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully
# written by 1.19 or newer, compared with --kube-version 1.17`,
  K8N110: `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-X
# the text ends here: no COMMIT`,
  K8N111: `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-KUBELET-CANARY - [0:0]
COMMIT
# kubelet's chains, and no KUBE-SERVICES`,
  K8N201: `# cluster.yaml: Service shop/web, clusterIP 10.96.0.20, port 80
$ grep 10.96.0.20 node1.save
# nothing`,
  K8N202: `-A KUBE-SERVICES -d 10.96.7.7/32 -p tcp -m comment --comment "shop/old:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-OLDOLDOLDOLDOLD2
# no Service has 10.96.7.7`,
  K8N203: `-A KUBE-SEP-LMJFKQLXGZYZQMCS -p tcp -m comment --comment "shop/web:http" -m tcp -j DNAT --to-destination 10.244.1.9:8080
# the EndpointSlices of shop/web have 10.244.1.7 and 10.244.2.9`,
  K8N204: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -m comment --comment "shop/web:http -> 10.244.1.7:8080" -j KUBE-SEP-LMJFKQLXGZYZQMCS
# 10.244.2.9 is ready too, and no rule leads to it`,
  K8N205: `:KUBE-SEP-LMJFKQLXGZYZQMCS - [0:0]
-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-LMJFKQLXGZYZQMCS
# and no rule of KUBE-SEP-LMJFKQLXGZYZQMCS`,
  K8N206: `:KUBE-SVC-OLDOLDOLDOLDOLD2 - [0:0]
# no rule jumps to it`,
  K8N207: `:KUBE-SERVICES - [0:0]
# and no "-A PREROUTING … -j KUBE-SERVICES"`,
  K8N208: `*mangle
:PREROUTING ACCEPT [0:0]
# no :KUBE-PROXY-CANARY`,
  K8N209: `-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "shop/web:http has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable
# shop/web has two ready endpoints`,
  K8N210: `-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -m mark --mark 0x4000/0x4000 -j MASQUERADE
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0`,
  K8N211: `:KUBE-LOAD-BALANCER - [0:0]
:KUBE-SVC-BYOSWABBXUZZ6UDU - [0:0]`,
  K8N212: `:KUBE-SERVICES - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-POSTROUTING - [0:0]
COMMIT
# kube-proxy's log: iptables-restore … failed`,
  K8N213: `-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-BYOSWABBXUZZ6UDU`,
  K8N214: `-A KUBE-SERVICES -j ACCEPT
-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "shop/web:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-BYOSWABBXUZZ6UDU`,
  K8N217: `$ curl -s http://127.0.0.1:10256/healthz
{"lastUpdated":"2026-11-24T14:00:11Z","currentTime":"2026-11-24T14:14:20Z","nodeEligible":true,"healthy":false,
 "status":{"IPv4":{"lastUpdated":"2026-11-24T14:00:11Z","healthy":false}}}`,
  K8N218: `-A KUBE-ROUTER-FORWARD -d 10.244.1.6/32 -m comment --comment "shop/db-1 in" -j KUBE-POD-FW-CDJKNKAIWCJYDTHZ
# nothing leads to a chain of shop/db-2, which a NetworkPolicy selects`,
  K8N219: `add KUBE-SRC-WXLGFUP4YKGLCEO4 10.244.1.5 timeout 0
# the policy also allows the Pod at 10.244.2.6`,
  K8N220: `add KUBE-SRC-WXLGFUP4YKGLCEO4 10.244.2.5 timeout 0
# no Pod that the policy allows has that address`,
  K8N221: `map ingress-pods-aa6b898ad887f63b1cfa {
  elements = { 10.244.1.6 comment "shop/db-1" : jump in-50a4389c42bc73d19ea1 }
}
# the Pod is gone`,
  K8N222: `-A KUBE-POD-FW-CDJKNKAIWCJYDTHZ -d 10.244.1.6/32 -m comment --comment "shop/db policy" -j KUBE-NWPLCY-45WYTXBGTVTHZFDN
# the policy is called shop/db-clients now, and allows the same`,
  K8N223: `-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "shop/web:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-67NZLRHBNDSAWJRO
# the Service port is called shop/web:www now, which would make it KUBE-SVC-IAGPOCC3OQK2GRCW`,
  K8N216: `ip daddr 10.96.0.0/16 drop comment "Drop traffic to unallocated ClusterIPs"
# ServiceCIDRs of the cluster: 10.96.0.0/16, 10.97.0.0/24`,
  K8N215: `-A KUBE-SERVICES -d 203.0.113.7/32 -p tcp -m comment --comment "shop/old:http loadbalancer IP" -m tcp --dport 80 -j KUBE-EXT-AAAAAAAAAAAAAAAA
-A KUBE-SERVICES -d 203.0.113.7/32 -p tcp -m comment --comment "shop/web:http loadbalancer IP" -m tcp --dport 80 -j KUBE-EXT-BYOSWABBXUZZ6UDU`,
  K8N301: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-A
-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.50000000000 -j KUBE-SEP-B
# the third rule is gone: a third of the connections is not translated`,
  K8N302: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.25000000000 -j KUBE-SEP-A
-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-B
# a quarter and three quarters, not a half each`,
  K8N303: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-A
-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-B
# the first rule takes everything`,
  K8N304: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -m recent --rcheck --seconds 180 --reap --name KUBE-SEP-A --mask 255.255.255.255 --rsource -j KUBE-SEP-A
# the Service asks for timeoutSeconds: 10800`,
  K8N305: `spec:
  sessionAffinity: ClientIP
  type: NodePort    # a client that comes to two nodes is remembered by each of them`,
  K8N306: `endpoints:
  - addresses: [10.244.1.7]
    conditions: { ready: false, serving: true, terminating: true }`,
  K8N307: `endpoints:
  - { addresses: [10.244.1.7], hints: { forZones: [{ name: zone-a }] } }
  - { addresses: [10.244.2.9] }     # one without a hint, so all of them are used`,
  K8N308: `-A KUBE-SVC-BYOSWABBXUZZ6UDU -m statistic --mode random --probability 0.00000000000 -j KUBE-SEP-A
-A KUBE-SVC-BYOSWABBXUZZ6UDU -j KUBE-SEP-B
# KUBE-SEP-A gets nothing`,
  K8N401: `# iptables mode without clusterCIDR has no such rule:
-A KUBE-SVC-BYOSWABBXUZZ6UDU ! -s 10.244.0.0/16 -d 10.96.0.20/32 -p tcp -m tcp --dport 80 -j KUBE-MARK-MASQ`,
  K8N402: `# kube-proxy: clusterCIDR: 10.244.0.0/16
# Node node-7: podCIDR: 10.245.3.0/24`,
  K8N403: `# missing:
-A KUBE-SEP-LMJFKQLXGZYZQMCS -s 10.244.1.7/32 -m comment --comment "shop/web:http" -j KUBE-MARK-MASQ
# or, of bridge -d link (given by --bridge):
5: veth6a1b2c3d@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 master cni0 state forwarding priority 32 cost 2
    hairpin off guard off root_block off fastleave off learning on flood on`,
  K8N404: `-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -m mark --mark 0x4000/0x4000 -j MASQUERADE
# the mark stays on`,
  K8N405: `-A POSTROUTING -s 10.244.0.0/16 ! -d 224.0.0.0/4 -j MASQUERADE
-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING`,
  K8N406: `-A PREROUTING -i eth1 -j MARK --set-xmark 0x4000/0xffffffff`,
  K8N407: `-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE`,
  K8N408: `# KubeProxyConfiguration
iptables: { masqueradeAll: true }`,
  K8N409: `-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
-A KUBE-POSTROUTING -m mark ! --mark 0x8000/0x8000 -j RETURN`,
  K8N410: `-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
# and no MASQUERADE`,
  K8N411: `-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
-A POSTROUTING -s 10.244.0.0/16 -j MASQUERADE
# Pods have 10.244.0.0/16, and send to each other`,
  K8N412: `[4711:282660] -A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP
[0:0] -A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000`,
  K8N501: `-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "shop/web:http has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable
# selector app=web selects 2 Pods, and none of them is ready`,
  K8N502: `-A KUBE-EXTERNAL-SERVICES -d 192.0.2.10/32 -p tcp -m comment --comment "shop/lb:https has no local endpoints" -m tcp --dport 443 -j DROP`,
  K8N503: `# Pods:            nodeName: Node-1.example.com
# kube-proxy runs: --hostname-override=node-1`,
  K8N504: `:FORWARD DROP [0:0]
-A FORWARD -j REJECT --reject-with icmp-host-prohibited
-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD`,
  K8N505: `-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP`,
  K8N506: `spec:
  type: LoadBalancer
  loadBalancerSourceRanges: [203.0.113.0/24]   # Pods and nodes that use the address are shut out
  ports: [{ port: 443, nodePort: 31443 }]      # the node port is open to all`,
  K8N507: `-A KUBE-SERVICES -d 192.168.10.1/32 -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -j KUBE-NODEPORTS`,
  K8N508: `:INPUT DROP [0:0]
# missing:
-A KUBE-NODEPORTS -p tcp -m comment --comment "shop/lb:https health check node port" -m tcp --dport 32001 -j ACCEPT`,
  K8N509: `spec:
  externalIPs: [192.168.10.1]   # the address of node-1`,
  K8N510: `# net.ipv4.conf.all.route_localnet = 1, and missing:
-A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP`,
  K8N511: `udp      17 29 src=10.244.1.5 dst=10.96.0.10 sport=40000 dport=53 [UNREPLIED] src=10.244.3.9 dst=10.244.1.5 sport=53 dport=40000
# 10.244.3.9 is no endpoint of kube-system/kube-dns any more (conntrack -L, given by --conntrack)`,
  K8N512: `-A KUBE-FW-XPGD46QRK7WJZT7O -s 203.0.113.0/24 -m comment --comment "shop/lb:https loadbalancer IP" -j KUBE-EXT-XPGD46QRK7WJZT7O
# the Service says loadBalancerSourceRanges: [198.51.100.0/24]`,
  K8N513: `tcp      6 98 SYN_SENT src=10.244.1.5 dst=10.96.0.20 sport=40000 dport=80 [UNREPLIED] src=10.244.3.9 dst=10.244.1.5 sport=8080 dport=40000
# 10.244.3.9:8080 is no endpoint of shop/web (conntrack -L, given by --conntrack)`,
  K8N514: `net.ipv4.ip_forward = 0`,
  K8N515: `net.bridge.bridge-nf-call-iptables = 0`,
  K8N516: `net.ipv4.conf.all.rp_filter = 1`,
  K8N517: `net.netfilter.nf_conntrack_max = 131072
net.netfilter.nf_conntrack_count = 131072`,
  K8N518: `-A FORWARD -d 10.244.1.3/32 -j DROP
# 10.244.1.3 is an endpoint of shop/web`,
  K8N519: `-A CNI-HOSTPORT-DNAT -p tcp -m multiport --dports 30080 -j CNI-DN-abcdef0123456789abcde
-A KUBE-NODEPORTS -p tcp -m comment --comment shop/web -m tcp --dport 30080 -j KUBE-EXT-YJLBIGXLM5TGFBMW`,
  K8N520: `*raw
-A PREROUTING -d 10.96.0.0/12 -j NOTRACK`,
  K8N521: `default via 10.0.0.1 dev eth0
10.244.1.0/24 dev cni0 proto kernel scope link src 10.244.1.1
10.244.2.0/24 via 10.244.2.0 dev flannel.1 onlink
# Node n3 has 10.244.3.0/24 (ip route show table all, given by --routes)`,
  K8N522: `10.244.2.0/24 via 10.0.0.13 dev eth0
# 10.0.0.13 is Node n3, and 10.244.2.0/24 are the Pods of n2`,
  K8N523: `2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500
3: flannel.1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450
7: veth0a1b2c3d@if3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 master cni0`,
  K8N601: `-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
# a Pod has hostPort 443, and so has the load balancer's address on this node`,
  K8N602: `*raw
-A PREROUTING -d 10.96.0.10/32 -p udp -m udp --dport 53 -j NOTRACK`,
  K8N603: `-A FWD_public -j REJECT --reject-with icmp-host-prohibited`,
  K8N604: `table inet firewall {
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
}`,
  K8N605: `:CILIUM_PRE_nat - [0:0]
:KUBE-SVC-BYOSWABBXUZZ6UDU - [0:0]`,
  K8N606: `-A PREROUTING -p tcp -m tcp --dport 80 -j REDIRECT --to-ports 8080
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES`,
  K8N607: `-A CNI-HOSTPORT-DNAT -p tcp -m multiport --dports 8443 -j CNI-DN-0123456789abcdef01234
-A CNI-HOSTPORT-DNAT -p tcp -m multiport --dports 8443 -j CNI-DN-fedcba9876543210fedcb`,
  K8N701: `$ ip addr show dev kube-ipvs0 | grep 10.96.0.20
# nothing, although shop/web has this address`,
  K8N702: `add KUBE-CLUSTER-IP 10.96.7.7,tcp:80
# no Service has 10.96.7.7`,
  K8N703: `-a -t 10.96.0.20:80 -r 10.244.1.9:8080 -m -w 0`,
  K8N704: `# missing, with kube-proxy before 1.26:
:KUBE-IPVS-FILTER - [0:0]`,
  K8N705: `-A -t 10.96.0.20:80 -s rr -p 10800`,
  K8N706: `net.ipv4.vs.conntrack = 0`,
  K8N707: `# mode: ipvs in the configuration, and on the node
:KUBE-SVC-TCOU7JCQXEZGVUNU - [0:0]`,
  K8N708: `add KUBE-EXTERNAL-IP-LOCAL 203.0.113.7,tcp:80
# and no rule of KUBE-IPVS-FILTER asks for this set`,
  K8N801: `map no-endpoint-services {
	elements = { 192.0.2.10 . tcp . 443 comment "shop/lb:https" : drop }
}`,
  K8N802: `set nodeport-ips {
	elements = { 192.168.10.1 }
}
# the node also has 10.0.0.1`,
  K8N803: `# iptables mode writes this, nftables mode nothing like it:
-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP`,
  K8N901: `kind: EndpointSlice
metadata:
  name: web-1                # no label kubernetes.io/service-name
ports: [{ name: htpp, port: 8080 }]`,
  K8N902: `ports: [{ port: 80, targetPort: htpp }]   # the containers name it http`,
  K8N903: `# shop/a and shop/b
ports: [{ port: 80, nodePort: 30080 }]`,
  K8N904: `kind: Endpoints        # 10.244.1.7 and 10.244.1.9
kind: EndpointSlice    # 10.244.1.7`,
  K8N905: `podSelector: { matchLabels: { app: wbe } }   # the Pods have app: web`,
  K8N906: `kind: EndpointSlice    # web-1
endpoints: [{addresses: [10.244.1.7], conditions: {ready: false}}]
---
kind: EndpointSlice    # web-2
endpoints: [{addresses: [10.244.1.7], conditions: {ready: true}}]`,
};
