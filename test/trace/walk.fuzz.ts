import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import { traceJson } from '../../src/trace/show/traceJson.ts';
import { traceText } from '../../src/trace/show/traceText.ts';
import { approximate } from '../../src/walk/values/fraction.ts';
import { whyCauses } from '../../src/why/whyCauses.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

/** Rules of any kind in any order, chains that lead to each other in circles: every walk ends, and its shares come to one. */

const chains = ['A', 'B', 'C', 'D'];
const matches = [
  '',
  '-s 10.0.0.0/8',
  '! -s 10.0.0.1/32',
  '-d 10.9.0.0/16',
  '-i eth+',
  '! -o lo',
  '-p tcp -m tcp --dport 80',
  '-p tcp -m tcp ! --sport 1024:65535',
  '-p udp',
  '-p tcp -m multiport --dports 80,443,1000:2000',
  '-p tcp -m tcp --tcp-flags SYN,RST SYN',
  '-m statistic --mode random --probability 0.33333333349',
  '-m statistic --mode nth --every 3 --packet 0',
  '-m conntrack --ctstate NEW,ESTABLISHED',
  '-m conntrack ! --ctstate DNAT',
  '-m mark --mark 0x1/0x1',
  '-m mark ! --mark 0x2/0x3',
  '-m addrtype --dst-type LOCAL',
  '-m addrtype ! --src-type LOCAL,UNICAST',
  '-m recent --rcheck --seconds 5 --name L --rsource',
  '-m recent --set --name L --rsource',
  '-m set --match-set S dst,dst',
  '-m physdev ! --physdev-is-in',
  '-m limit --limit 1/sec',
  '-m bpf --bytecode "1,6 0 0 0"',
  '-m nobody-knows --this that',
];
const targets = [
  ...chains.flatMap((chain) => [`-j ${chain}`, `-g ${chain}`]),
  '-j RETURN',
  '-j ACCEPT',
  '-j MARK --set-xmark 0x1/0x1',
  '-j CONNMARK --save-mark --nfmask 0xffffffff --ctmask 0xffffffff',
  '-j LOG',
  '',
];
const filterTargets = [
  ...targets,
  '-j DROP',
  '-j REJECT --reject-with icmp-port-unreachable',
  '-j REJECT --reject-with tcp-reset',
  '-j NOBODY --knows it',
];
const natTargets = [
  ...targets,
  '-j DNAT --to-destination 10.244.1.5:8080',
  '-j DNAT --to-destination 10.244.1.5-10.244.1.8',
  '-j SNAT --to-source 192.168.0.9',
  '-j MASQUERADE --random-fully',
  '-j REDIRECT --to-ports 99',
  '-j NETMAP --to 10.99.0.0/16',
];
const hooks = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
} as const;

function table(name: 'filter' | 'nat'): fc.Arbitrary<string> {
  const rule = fc
    .tuple(
      fc.constantFrom(...hooks[name], ...chains),
      fc.constantFrom(...matches),
      fc.constantFrom(...(name === 'nat' ? natTargets : filterTargets)),
    )
    .map(([chain, match, target]) => ['-A', chain, match, target].filter((word) => word !== '').join(' '));
  return fc.array(rule, { maxLength: 40 }).map((rules) => {
    const heads = [
      ...hooks[name].map((chain) => `:${chain} ACCEPT [0:0]`),
      ...chains.map((chain) => `:${chain} - [0:0]`),
    ];
    return [`*${name}`, ...heads, ...rules, 'COMMIT', ''].join('\n');
  });
}

const facts = JSON.stringify({
  schema: 'k8snet.facts/v1',
  node: 'n1',
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8'] },
    { name: 'eth0', addresses: ['192.168.0.1/24'] },
    { name: 'veth0', addresses: [] },
  ],
  routes: [
    { family: 'ip', type: 'unicast', dst: 'default', dev: 'eth0', table: 'main' },
    { family: 'ip', type: 'unicast', dst: '10.244.1.5', dev: 'veth0', table: 'main' },
  ],
  sysctls: { 'net.ipv4.ip_forward': 1 },
  pods: [{ name: 'a/b', ips: ['10.244.1.5'], node: 'n1', interface: 'veth0' }],
});

test('every walk ends, and its shares come to one', () => {
  const packet = fc.record({
    from: fc.constantFrom('outside', 'node', '10.244.1.5', '10.0.0.1:500'),
    to: fc.constantFrom('10.9.0.1:80', 'node:80', '10.244.1.5:8080', '127.0.0.1:443'),
    proto: fc.constantFrom('tcp', 'udp'),
  });
  fc.assert(
    fc.property(table('nat'), table('filter'), packet, (nat, filter, question) => {
      const files = [
        { name: 'n1.save', text: `${nat}${filter}` },
        { name: 'facts.json', text: facts },
      ];
      const tracer = createNodeTracer(readDumps(files, { name: 'n1' }));
      const result = tracer.trace(question);
      if ('kind' in result) return;
      assert.ok(result.outcomes.length > 0);
      const shares = result.outcomes.map(({ share }) => share);
      if (shares.every((share) => share !== undefined)) {
        const sum = shares.reduce((all, share) => all + approximate(share), 0);
        assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
      }
      const names = tracer.endpointNames('ipv4');
      assert.ok(JSON.stringify(traceJson(result, names)).length > 0);
      assert.ok(traceText(result, names, { isVerbose: true }).length > 0);
      whyCauses(result, tracer.tracerOf('ipv4').input);
    }),
    { seed: fuzzSeed, numRuns: 300 },
  );
});
