import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { type BehaviourComparison, compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { readDumps } from '../../src/dump/readDumps.ts';

/** Rules for one address lead to a chain that asks for ports: packets to that address and these ports are compared. */
function compare(one: string, other: string): BehaviourComparison {
  const sides = [one, other].map((text, at) =>
    behaviourSide(`${at}`, readDumps([{ name: `${at}`, text }], { name: `${at}`, family: undefined }), undefined),
  );
  return compareBehaviour(sides[0] ?? assert.fail(), sides[1] ?? assert.fail(), {});
}

const nft = (port: number) => `table ip guard {
	map pods {
		type ipv4_addr : verdict
		elements = { 10.244.1.6 : jump db }
	}

	set ports {
		type inet_proto . inet_service
		elements = { tcp . ${port} }
	}

	chain forward {
		type filter hook forward priority filter; policy accept;
		ip daddr vmap @pods
	}

	chain db {
		meta l4proto . th dport @ports return
		counter drop
	}
}
`;

const iptables = (port: number) => `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:PODS - [0:0]
:DB - [0:0]
-A FORWARD -j PODS
-A PODS -d 10.244.1.6/32 -j DB
-A DB -p tcp -m tcp --dport ${port} -j RETURN
-A DB -j DROP
COMMIT
`;

for (const [tool, rules] of Object.entries({ nft, iptables })) {
  test(`a port that is asked for behind an address counts at that address: ${tool}`, () => {
    const { findings } = compare(rules(5432), rules(5433));
    const ports = findings.map(({ packet }) => packet.destinationPort);
    assert.deepEqual([...new Set(ports)].sort(), [5432, 5433]);
    assert.deepEqual(compare(rules(5432), rules(5432)).findings, []);
  });
}
