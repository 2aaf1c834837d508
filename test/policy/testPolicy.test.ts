import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { clusterServices } from '../../src/pipeline/clusterServices.ts';
import { findParty } from '../../src/policy/parties/findParty.ts';
import { parsePortSpec } from '../../src/policy/portSpec.ts';
import { testPolicy } from '../../src/policy/testPolicy.ts';
import { conntrackHints } from '../../src/policy/text/conntrackHints.ts';
import { checkText } from '../../src/policy/text/verdictText.ts';
import type { VerdictOptions } from '../../src/policy/verdict.ts';
import { manifestsOf } from './readCase.ts';

const meta = (name: string, labels = {}) => ({ name, namespace: 'shop', labels });
const pod = (name: string, ip: string, node: string) => ({
  kind: 'Pod',
  metadata: meta(name, { app: name }),
  spec: { nodeName: node, containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { phase: 'Running', podIP: ip, conditions: [{ type: 'Ready', status: 'True' }] },
});

const manifests = manifestsOf([
  { kind: 'Node', metadata: { name: 'n1' }, status: { addresses: [{ type: 'InternalIP', address: '192.168.1.1' }] } },
  { kind: 'Node', metadata: { name: 'n2' }, status: { addresses: [{ type: 'InternalIP', address: '192.168.1.2' }] } },
  pod('web', '10.1.0.1', 'n1'),
  pod('db', '10.1.0.2', 'n1'),
  {
    kind: 'Service',
    metadata: meta('web'),
    spec: { clusterIP: '10.96.0.5', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  },
  pod('api', '10.1.0.3', 'n1'),
  {
    kind: 'Service',
    metadata: meta('api'),
    spec: {
      type: 'NodePort',
      clusterIP: '10.96.0.6',
      selector: { app: 'api' },
      ports: [{ port: 443, targetPort: 8443, nodePort: 30080 }],
    },
  },
  {
    kind: 'NetworkPolicy',
    metadata: meta('clients'),
    spec: {
      podSelector: { matchLabels: { app: 'api' } },
      ingress: [{ from: [{ ipBlock: { cidr: '198.51.100.0/24' } }] }],
    },
  },
  {
    kind: 'NetworkPolicy',
    metadata: meta('only-db'),
    spec: {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'db' } } }], ports: [{ port: 'http' }] }],
    },
  },
]);
const model = readPolicyModel(manifests);
const services = clusterServices(manifests);

/** From, to, port, and what is said: the first line of each check. */
const questions: readonly (readonly [string, string, string | undefined, string, VerdictOptions?])[] = [
  ['shop/db', 'shop/web', '8080', 'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1) 8080/tcp'],
  ['shop/db', 'shop/web', 'http', 'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1) 8080/tcp'],
  ['shop/db', 'shop/web', '80', 'denied: shop/db (10.1.0.2) -> shop/web (10.1.0.1) 80/tcp'],
  ['shop/db', 'shop/web', undefined, 'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1)\n  open ports: 8080/tcp'],
  ['shop/db', 'shop/web', 'icmp', 'denied: shop/db (10.1.0.2) -> shop/web (10.1.0.1) icmp'],
  ['shop/db', 'shop/web', 'icmp', 'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1) icmp', { icmp: 'allow' }],
  // The Service's port is not the pod's: only what the translation makes of it counts.
  [
    'shop/db',
    'svc/shop/web',
    '80',
    'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)',
  ],
  [
    'external',
    'svc/shop/web',
    '80',
    'denied: 203.0.113.1 -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)',
  ],
  ['node/n1', 'shop/web', '8080', 'allowed: node n1 (192.168.1.1) -> shop/web (10.1.0.1) 8080/tcp'],
  ['node/n2', 'shop/web', '8080', 'denied: node n2 (192.168.1.2) -> shop/web (10.1.0.1) 8080/tcp'],
  [
    'shop/web',
    'svc/shop/web',
    '80',
    'allowed: shop/web (10.1.0.1) -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)',
  ],
  [
    'shop/web',
    'svc/shop/web',
    '80',
    'denied: shop/web (10.1.0.1) -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)',
    { hairpin: 'policy' },
  ],
  [
    'shop/db',
    '10.96.0.5',
    '80',
    'allowed: shop/db (10.1.0.2) -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)',
  ],
  ['external', '10.96.0.5', '80', 'denied: 203.0.113.1 -> shop/web (10.1.0.1) 8080/tcp (through Service shop/web:80)'],
  // The first node shows the second its own address: a block of clients' addresses does not help there.
  [
    '198.51.100.9',
    'node/n1',
    '30080',
    'allowed: 198.51.100.9 -> shop/api (10.1.0.3) 8443/tcp (through Service shop/api:443)',
  ],
  [
    '198.51.100.9',
    'node/n2',
    '30080',
    'denied: 198.51.100.9 -> shop/api (10.1.0.3) 8443/tcp (through Service shop/api:443)',
  ],
  ['shop/web', '10.1.0.2', '1', 'allowed: shop/web (10.1.0.1) -> shop/db (10.1.0.2) 1/tcp'],
];

for (const [from, to, port, expected, options] of questions) {
  test(`${from} to ${to} ${port ?? 'any port'} ${JSON.stringify(options ?? {})}`, () => {
    const request = { from, to, port: port === undefined ? undefined : parsePortSpec(port), family: undefined };
    const outcome = testPolicy(model, services, request, options);
    assert.ok(outcome.kind === 'checked');
    const text = outcome.checks.map(checkText).join('');
    assert.ok(text.startsWith(expected), text);
    assert.equal(outcome.isAllowed, expected.startsWith('allowed'));
  });
}

test('what nobody has is said', () => {
  const ask = (from: string, to: string, port = '80') => {
    const outcome = testPolicy(model, services, { from, to, port: parsePortSpec(port), family: undefined });
    return outcome.kind === 'unanswerable' ? outcome.message.replace(/[:;].*/, '') : outcome.kind;
  };
  assert.equal(ask('shop/none', 'shop/web'), 'Pod shop/none not found');
  assert.equal(ask('shop/web', 'node/none'), 'Node none not found');
  assert.equal(ask('shop/db', 'svc/shop/none'), 'Service shop/none not found, or kube-proxy has no rules for it');
  assert.equal(ask('shop/db', 'svc/shop/web', '81'), 'Service shop/web has no port 81/tcp');
  assert.equal(ask('shop/db', 'shop/web', 'dns/udp'), 'shop/web has no port dns/udp');
  assert.equal(ask('shop/db', '2001:db8::1'), 'shop/db and 2001');
});

test('ports are read as users write them', () => {
  assert.deepEqual(parsePortSpec('53/udp'), { kind: 'number', protocol: 'UDP', port: 53 });
  assert.deepEqual(parsePortSpec('HTTP/TCP'), { kind: 'name', protocol: 'TCP', name: 'HTTP' });
  for (const text of ['', '0', '65536', '80/http', '80/tcp/x', '-', 'a b'])
    assert.equal(parsePortSpec(text), undefined, text);
});

test('hints cut what a policy denies now, behind a Service too, and nothing that is allowed', () => {
  const hints = (from: string, to: string, port?: string) => {
    const request = { from, to, port: port === undefined ? undefined : parsePortSpec(port), family: undefined };
    const outcome = testPolicy(model, services, request);
    return outcome.kind === 'checked' ? conntrackHints(outcome.checks) : [];
  };
  assert.deepEqual(hints('shop/api', 'svc/shop/web', '80'), [
    'conntrack -D -p tcp -s 10.1.0.3 --reply-src 10.1.0.1 --reply-port-src 8080',
  ]);
  assert.deepEqual(hints('shop/api', 'shop/web', 'icmp'), ['conntrack -D -p icmp -s 10.1.0.3 --reply-src 10.1.0.1']);
  assert.deepEqual(hints('shop/api', 'shop/web'), ['conntrack -D -s 10.1.0.3 --reply-src 10.1.0.1']);
  assert.deepEqual(hints('shop/db', 'svc/shop/web', '80'), []);
});

test('an address before a port has brackets', () => {
  const of = (ip: string) => findParty(readPolicyModel(manifestsOf([pod('six', 'fd00::6', 'n1')])), ip);
  assert.deepEqual(of('[fd00::6]'), of('fd00::6'));
  assert.deepEqual(of('[fd00:0::6]'), { kind: 'ip', ip: 'fd00::6' });
  assert.equal(of('[fd00::6'), undefined);
});
