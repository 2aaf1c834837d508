import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { reach } from '../../src/behaviour/reach/reach.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { whois } from '../../src/trace/whois/whois.ts';
import { walkInputOf } from '../../src/walk/input/walkInputOf.ts';

/** Rules of policies name Pods and policies, which may have the name of a Service: they say nothing about that Service. */
const text = `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-NWPLCY-TRSVE3G6ENK4IYUY - [0:0]
:KUBE-POD-FW-VICDNLPSGZ57SZHC - [0:0]
:KUBE-ROUTER-FORWARD - [0:0]
-A FORWARD -m comment --comment "kube-router netpol - TEMCG2JMHZYE7H7T" -j KUBE-ROUTER-FORWARD
-A KUBE-ROUTER-FORWARD -d 10.244.1.5/32 -m comment --comment "shop/web-1 in" -j KUBE-POD-FW-VICDNLPSGZ57SZHC
-A KUBE-POD-FW-VICDNLPSGZ57SZHC -d 10.244.1.5/32 -m comment --comment "shop/web policy" -j KUBE-NWPLCY-TRSVE3G6ENK4IYUY
-A KUBE-NWPLCY-TRSVE3G6ENK4IYUY -p tcp -m comment --comment "shop/web ingress any" -m tcp --dport 9090 -j MARK --set-xmark 0x10000/0x10000
COMMIT
*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:POSTROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-E3PXEPMWAWIUT6ZV - [0:0]
:KUBE-SEP-IT2ZTR26TO4XFPTO - [0:0]
-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
-A KUBE-SERVICES -d 10.96.0.20/32 -p tcp -m comment --comment "shop/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-E3PXEPMWAWIUT6ZV
-A KUBE-SVC-E3PXEPMWAWIUT6ZV -m comment --comment "shop/web -> 10.244.1.5:8080" -j KUBE-SEP-IT2ZTR26TO4XFPTO
-A KUBE-SEP-IT2ZTR26TO4XFPTO -p tcp -m comment --comment "shop/web" -m tcp -j DNAT --to-destination 10.244.1.5:8080
COMMIT
`;

test('reach takes no port of a policy for a node port of the Service with its name', () => {
  const dump = readDumps([{ name: 'node', text }], { name: 'node', family: undefined });
  const { rows } = reach(behaviourSide('node', dump, undefined));
  const own = rows.filter(({ name, destination: { use } }) => use === 'port' && name.service?.startsWith('shop/web'));
  assert.deepEqual(
    own.map(({ name, destination }) => `${name.kind} ${destination.protocolPorts[0]?.port}`),
    ['clusterIP 80'],
  );
});

test('whois takes no Pod in a map of policies for a Service', () => {
  const nft = `table ip k8snet-netpol {
	map ingress-pods {
		type ipv4_addr : verdict
		elements = { 10.244.1.6 comment "shop/db-1" : jump in-50a4389c42bc73d19ea1 }
	}

	set pods {
		type ipv4_addr
		elements = { 10.244.1.6, 10.244.2.5 }
	}

	chain forward {
		type filter hook forward priority filter; policy accept;
		ip daddr vmap @ingress-pods
	}

	chain in-50a4389c42bc73d19ea1 {
		ip saddr @pods return
		counter drop
	}
}
`;
  const dump = readDumps([{ name: 'node', text: nft }], { name: 'node', family: undefined });
  const sentences = (name: string) => whois(name, [walkInputOf(dump, 'ipv4')]).map(({ sentence }) => sentence);
  assert.deepEqual(sentences('10.244.1.6'), [
    '10.244.1.6 is in the map ingress-pods of ip k8snet-netpol (shop/db-1), which leads to in-50a4389c42bc73d19ea1',
    '10.244.1.6 is in the set pods of ip k8snet-netpol',
  ]);
  assert.deepEqual(sentences('10.244.2.5'), ['10.244.2.5 is in the set pods of ip k8snet-netpol']);
});
