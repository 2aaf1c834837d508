import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { recorded } from '../support/golden.ts';
import type { Ended } from '../support/runCli.ts';
import { runMany } from '../support/runMany.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-posts-'));
after(() => rmSync(folder, { recursive: true }));

const posts = 'fixtures/posts';
const printed = (path: string) => recorded(`posts/${path}`) as string;

/** A manifest of a post with something in it changed, or one of its own. */
function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function changed(path: string, from: string | RegExp, to: string): string {
  const text = readFileSync(join(root, posts, path), 'utf8');
  assert.match(text, typeof from === 'string' ? new RegExp(from.replaceAll('.', '\\.')) : from);
  return written(path.replaceAll('/', '-'), text.replace(from, to));
}

interface Fact {
  /** What the posts say. */
  readonly says: string;
  readonly command: string;
  /** All of standard output, or texts and patterns that it holds. */
  readonly prints?: string;
  readonly holds?: readonly (string | RegExp)[];
  readonly complains?: readonly (string | RegExp)[];
  /** Default: 0. */
  readonly status?: number;
}

const nginxRules = 'golden/recorded/posts/004-nginx-service/expected.iptables-save';
const scaled = 'golden/recorded/posts/002-nginx-web-1-scaled/expected.iptables-save';
const ipvsDump = 'golden/recorded/posts/003-ipvs-node/expected.ipvsadm-Ln.txt';
const policies = `-f ${posts}/001-netpol-access-nginx/cluster.yaml --assume-pods -q`;
const withPolicy = `-f ${posts}/001-netpol-access-nginx/manifests ${policies}`;
const deny = (name: string) => `${posts}/001-netpol-defaults/manifests/${name}.yaml`;

const facts: readonly Fact[] = [
  // Services and their endpoints.
  {
    says: 'a selector that selects nothing (S2)',
    command: `lint -f ${changed('000-whoami-clusterip/manifests/whoami-svc.yml', /selector:\n( +)app: whoami/, 'selector:\n$1app: nobody')} -f ${posts}/000-whoami-clusterip/manifests/whoami-rc.yml`,
    complains: ['selector-matches-nothing'],
  },
  {
    says: 'endpoints that are Pods of somebody else (X8)',
    command: `lint -f ${changed('001-my-nginx/cluster.yaml', /selector:\n( +)\S+: \S+/, 'selector:\n$1run: nothing')}`,
    complains: [/endpoint-not-selected: 10\.244\.2\.5 is Pod default\/my-nginx-3800858182-kna2y/],
  },
  {
    says: 'a cluster IP outside of the range makes the create fail (S9, X16)',
    command: `lint -f ${posts}/004-services-list/services.yaml --service-cidr 10.0.0.0/16`,
    status: 2,
    complains: ['cluster-ip-outside-range'],
  },
  {
    says: 'all cluster IPs of 004 are in 10.96.0.0/12',
    command: `lint -f ${posts}/004-services-list/services.yaml --service-cidr 10.96.0.0/12 --ignore no-endpoints`,
  },
  {
    says: 'ping and other ports of a cluster IP are not answered (S11)',
    command: `explain cluster-ip -f ${posts}/000-whoami-clusterip/cluster.yaml --node 172.17.8.100 --service default/whoami -q`,
    holds: ['3000/tcp: answered by one of 3 endpoints', 'ping: no rule applies', 'any other port:'],
  },
  {
    says: 'loadBalancerIP is asked for, the status is given (S16)',
    command: `lint -f ${posts}/001-loadbalancer/manifests --ignore no-endpoints`,
    complains: [/load-balancer-ip-differs: "78.11.24.19" was requested, but 146.148.47.155 was assigned/],
  },
  {
    says: 'an endpoint may not be the cluster IP of another Service (S19)',
    command: `lint -f ${changed('001-service-no-selector/cluster.yaml', 'ip: 192.0.2.42', 'ip: 10.96.0.77')} -f ${written('other.yaml', 'apiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {clusterIP: 10.96.0.77, ports: [{port: 80}]}\n')}`,
    complains: ['endpoint-is-cluster-ip'],
  },
  {
    says: 'what kubectl describes of whoami (G5)',
    command: `explain service -f ${posts}/000-whoami-clusterip/cluster.yaml --service default/whoami -q`,
    holds: [
      'default/whoami: ClusterIP\n',
      'cluster IP 10.10.10.28\n',
      'port <unset> 3000/TCP: 10.11.32.6:3000, 10.13.192.4:3000, 10.16.192.3:3000\n',
      'session affinity None',
      'from outside: not reachable',
    ],
  },
  {
    says: 'a node port is open on every node, and the cluster IP goes on working (T2, T6, T12)',
    command: `explain service -f ${posts}/000-whoami-nodeport/cluster.yaml --service default/whoami -q`,
    holds: [
      'inside the cluster: 10.10.10.163:3000/TCP',
      'port 31647/TCP of every node: 172.17.8.100, 172.17.8.101, 172.17.8.102',
    ],
  },
  {
    says: 'an external IP (T12)',
    command: `explain service -f ${posts}/001-externalips/manifests -q`,
    holds: [/external IP.*: 80\.11\.12\.10:80\/TCP/],
  },
  {
    says: 'a balancer in front of the node ports (T7)',
    command: `emit lb -f ${posts}/000-whoami-nodeport/cluster.yaml --service default/whoami -q`,
    holds: ['172.17.8.100:31647', '172.17.8.101:31647', '172.17.8.102:31647'],
  },
  {
    says: 'an external name that looks like an address is a name of digits (T9)',
    command: `lint -f ${changed('001-externalname/manifests/my-service.yaml', 'my.database.example.com', '192.0.2.42')}`,
    complains: ['external-name-is-address'],
  },
  // kube-proxy.
  {
    says: 'a unit file sets the mode (P16)',
    command: `explain --config ${posts}/000-kube-proxy-flags/kube-proxy.service`,
    holds: ['mode: "iptables"'],
  },
  {
    says: 'the log of 003: no mode is iptables, not ipvs (P7, X5)',
    command: 'explain --config fixtures/flags/log-post-003-iptables.txt',
    holds: ['mode: "iptables"'],
    complains: [
      'kube-proxy was started without a mode, which means iptables',
      'node IP 10.10.110.192',
      'version v1.20.0',
    ],
  },
  {
    says: 'the log of 003 after the change (P18)',
    command: 'explain --config fixtures/flags/log-post-003-ipvs.txt',
    holds: ['mode: "ipvs"'],
    complains: ['scheduler rr, as none is named'],
  },
  {
    says: 'ipvs came with 1.8 (P6)',
    command: `compile -f ${posts}/003-nodeport-30007/manifests --mode ipvs --kube-version 1.7`,
    status: 2,
    complains: ['mode-not-in-version'],
  },
  {
    says: 'userspace mode redirects the VIP 10.0.0.1:1234 to a port of kube-proxy (P3)',
    command: `compile -f ${posts}/001-image-backend/manifests --mode userspace --kube-version 1.2 --node-ip 192.0.2.1 -q`,
    holds: [/-A KUBE-PORTALS-CONTAINER -d 10\.0\.0\.1\/32 -p tcp .* --dport 1234 -j REDIRECT --to-ports \d+/],
  },
  {
    says: 'iptables chooses at random, ipvs in turn, and none tries another Pod (X3, C20)',
    command: 'explain modes',
    holds: [
      'choose an endpoint at random',
      'None of them tries another endpoint',
      /IPVS mode goes by its scheduler, in turn/,
    ],
  },
  {
    says: 'shares of three endpoints are equal (C5)',
    command: `split 172.30.132.253:80 ${scaled}`,
    holds: [/10\.129\.1\.27:80 +33\.33 %/, /10\.129\.1\.28:80 +33\.33 %/, /10\.129\.3\.57:80 +33\.33 %/],
  },
  {
    says: 'the node of 003 as ipvsadm -Ln shows it (V5, V6)',
    command: `compile -f ${posts}/003-ipvs-node/derived.cluster.yaml --mode ipvs --kube-version 1.20 -o ipvsadm-list --node-ip 10.10.110.190 --node-address 172.17.0.1/16 --node-address 10.244.235.192/32 -q`,
    holds: ['TCP  10.97.105.36:80 rr\nTCP', 'TCP  172.17.0.1:30023 rr', 'UDP  10.96.0.10:53 rr'],
  },
  {
    says: 'the log of 003 is of one node, its virtual servers are of another (X17)',
    command: `diff -f ${posts}/003-ipvs-node/derived.cluster.yaml --config fixtures/flags/log-post-003-ipvs.txt ${ipvsDump}`,
    status: 1,
    complains: ['and node k8s-master has 10.10.110.192: the dump may be of another node'],
  },
  {
    says: '11 virtual servers are 11 Services to the doctor (V5, V7)',
    command: `doctor ${ipvsDump}`,
    holds: [/^11 Services\n/, '10.97.105.36:80/tcp'],
  },
  // Packets.
  {
    says: 'a Pod that reaches itself is masqueraded (C6)',
    command: `trace ${nginxRules} --from 10.244.1.53 --to 10.105.211.16:8000`,
    holds: ['KUBE-SEP-RGXD32JDVTBAD2NU #1 → KUBE-MARK-MASQ'],
  },
  {
    says: 'packets to other Pods leave by flannel.1 (R5)',
    command: `trace ${nginxRules} --routes ${posts}/004-ubuntu-flannel/route-n.zenlinnode1.txt --from 10.244.1.145 --to 10.105.211.16:8000`,
    holds: ['leaves by flannel.1 to 10.244.2.199:80'],
  },
  {
    says: 'the chain of whoami (C7)',
    command: 'whois KUBE-SVC-OQCLJJ5GLLNFY3XB golden/recorded/posts/000-whoami-clusterip/expected.iptables-save',
    holds: ['default/whoami'],
  },
  {
    says: 'Pods to the internet are masqueraded as their node (C16, R18)',
    command: `compile -f ${posts}/004-nginx-service/cluster.yaml --node zenlinnode1 --masquerade-pod-cidr 10.244.0.0/16 -q`,
    holds: [/-s 10\.244\.0\.0\/16 .*-j MASQUERADE/],
  },
  // Files of Pods.
  {
    says: 'variables of a Pod made before the Service (D4)',
    command: `emit env -f ${posts}/001-my-nginx/cluster.yaml --namespace default -q`,
    holds: ['MY_NGINX_SERVICE_HOST=10.0.162.149\nMY_NGINX_SERVICE_PORT=80\n'],
  },
  {
    says: 'the variables of redis-master in order (D1, D2)',
    command: `emit env -f ${posts}/001-redis-master-env/manifests --namespace default -q`,
    prints: printed('001-redis-master-env/expected.env'),
  },
  {
    says: 'resolv.conf of dns-example (D14)',
    command: `emit resolv.conf -f ${posts}/001-dnsconfig/manifests --pod default/dns-example -q`,
    prints: printed('001-dnsconfig/expected.resolv.conf'),
  },
  {
    says: 'resolv.conf in an IPv6 cluster is that of ClusterFirst (X13)',
    command: `emit resolv.conf -f ${posts}/001-hosts-default/manifests --pod default/nginx --cluster-dns fd00:79:30::a --cluster-domain cluster-domain.example -q`,
    prints: printed('001-dnsconfig/expected.resolv.ipv6.conf'),
  },
  {
    says: 'a Pod in its node’s network needs ClusterFirstWithHostNet (D12)',
    command: `lint -f ${changed('001-hostnetwork-dnspolicy/manifests/busybox.yaml', 'ClusterFirstWithHostNet', 'ClusterFirst')}`,
    complains: ['host-network-cluster-first'],
  },
  {
    says: 'three servers at most, one at least with None (D13)',
    command: `lint -f ${changed('001-dnsconfig/manifests/dns-example.yaml', /nameservers:\n.*\n/, 'nameservers: []\n')}`,
    status: 2,
    complains: ['dns-config-invalid'],
  },
  {
    says: 'the hosts file of nginx (D17)',
    command: `emit hosts -f ${written('nginx.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: nginx}\nspec: {containers: [{name: c}]}\nstatus: {podIP: 10.200.0.4}\n')} --pod nginx`,
    prints: printed('001-hosts-default/expected.hosts'),
  },
  {
    says: 'host aliases come at the end (D18)',
    command: `emit hosts -f ${changed('001-hostaliases/manifests/host-aliases-pod.yaml', /$/, '\nstatus: {podIP: 10.200.0.5}\n')} --pod hostaliases-pod`,
    prints: printed('001-hostaliases/expected.hosts'),
  },
  // Ingress and policies.
  {
    says: 'a.demo.kuboard.cn leads to nginx-service (I1, I2)',
    command: `emit ingress -f ${posts}/001-ingress-nginx/manifests/nginx-ingress.yaml -f ${posts}/001-ingress-nginx/manifests/nginx-service.yaml -f ${posts}/001-ingress-nginx/manifests/nginx-deployment.yaml --assume-pods -q`,
    holds: ['server_name a.demo.kuboard.cn;', 'proxy_pass http://default_nginx-service_80;', 'server 10.244.0.10:80'],
  },
  {
    says: 'an Ingress without its Service (I1)',
    command: `lint -f ${posts}/001-ingress-nginx/manifests/nginx-ingress.yaml -f ${posts}/003-nodeport-30007/manifests --ignore no-endpoints`,
    complains: ['no-backend'],
  },
  {
    says: 'flannel enforces no policies (N1)',
    command: `lint -f ${posts}/001-netpol-access-nginx/manifests --cni flannel`,
    complains: ['policy-not-enforced'],
  },
  {
    says: 'an ipBlock is meant for addresses outside (N12)',
    command: `lint -f ${posts}/001-netpol-test-network-policy/manifests --cluster-cidr 172.17.0.0/16`,
    complains: ['ip-block-in-cluster'],
  },
  {
    says: 'no policy: allowed (N18)',
    command: `policy test ${policies} --from default/busybox --to svc/default/nginx --port 80`,
    holds: [/^allowed/],
  },
  {
    says: 'a policy, and no label: denied (N18)',
    command: `policy test ${withPolicy} --from default/busybox --to svc/default/nginx --port 80`,
    status: 1,
    holds: [/^denied/],
  },
  {
    says: 'a policy and the label: allowed (N18)',
    command: `policy test ${withPolicy} --from default/busybox-access --to svc/default/nginx --port 80`,
    holds: [/^allowed/],
  },
  {
    says: '"deny egress" as printed allows all of it (N16, X1)',
    command: `lint -f ${changed('001-netpol-defaults/manifests/default-deny-egress.as-printed.yaml', 'name: allow-all', 'name: default-deny-egress')}`,
    complains: ['policy-denies-nothing'],
  },
  {
    says: 'the others do what they are called',
    command: `lint -f ${deny('default-deny-egress')} --fail-on warning`,
  },
  // Networks.
  {
    says: 'each node has a range of its own (R1)',
    command: `lint -f ${changed('004-node-cidrs/nodes.yaml', '10.244.2.0/24', '10.244.1.0/24')}`,
    complains: ['pod-cidr-overlap'],
  },
  {
    says: 'one route to all Pods, as flannel of that time had (R3)',
    command: `emit routes -f ${posts}/004-node-cidrs/nodes.yaml --node zenlinnode1 --flannel-version 0.8 --cluster-cidr 10.244.0.0/16 -o route-n`,
    holds: ['10.244.0.0      0.0.0.0         255.255.0.0     U     0      0        0 flannel.1\n'],
  },
  { says: 'a range as a prefix (R16)', command: 'cidr 125.203.96.0-125.203.127.255', holds: ['125.203.96.0/19'] },
  { says: 'a prefix as a range (R16)', command: 'cidr 222.80.18.18/25', holds: ['222.80.18.0 - 222.80.18.127'] },
  // What kubectl prints.
  {
    says: 'kubectl get svc of 1.7 (G4)',
    command: `compile -f ${posts}/004-services-list/kubectl-get-svc.txt --kube-version 1.7 -q`,
    holds: ['-d 10.105.211.16/32', /--dport 30305/],
  },
  {
    says: 'kubectl describe svc and get ep (G4, G5)',
    command: `compile -f ${posts}/001-my-nginx/kubectl-describe-svc.txt -f ${posts}/001-my-nginx/kubectl-get-ep.txt --kube-version 1.5 -q`,
    holds: ['-d 10.0.162.149/32', '--to-destination 10.244.2.5:80', '--to-destination 10.244.3.4:80'],
  },
  {
    says: 'tabs before a comment are no YAML (X18)',
    command: `lint -f ${written('tab.yaml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n\t# a comment\n  containers: []\n')}`,
    status: 2,
    complains: [/:6:1 error yaml-syntax: a tab/],
  },
];

describe('what the posts say', () => {
  let ended: readonly Ended[] | undefined;
  for (const [at, fact] of facts.entries()) {
    it(fact.says, () => {
      ended ??= runMany(facts.map(({ command }) => command.split(' ')));
      const { status, stdout, stderr } = ended[at] as Ended;
      assert.equal(status, fact.status ?? 0, `${stdout}${stderr}`);
      if (fact.prints !== undefined) assert.equal(stdout.trimEnd(), fact.prints.trimEnd());
      for (const text of fact.holds ?? []) assert.match(stdout, pattern(text));
      for (const text of fact.complains ?? []) assert.match(`${stdout}${stderr}`, pattern(text));
    });
  }
});

function pattern(text: string | RegExp): RegExp {
  return typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
}
