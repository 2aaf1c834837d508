import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { testPolicy } from '../../src/policy/testPolicy.ts';
import { checkText } from '../../src/policy/text/verdictText.ts';
import { manifestsOf } from './readCase.ts';

const cluster = `
{kind: Namespace, metadata: {name: shop, labels: {team: shop}}}
---
{kind: Namespace, metadata: {name: bank, labels: {team: bank}}}
---
{kind: Node, metadata: {name: n1, labels: {zone: a}}, status: {addresses: [{type: InternalIP, address: 192.168.0.1}]}}
---
{kind: Node, metadata: {name: n2, labels: {zone: b}}, status: {addresses: [{type: InternalIP, address: 192.168.0.2}]}}
---
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {nodeName: n1, containers: [{name: c, ports: [{name: http, containerPort: 8080}, {name: dns, containerPort: 53, protocol: UDP}]}]}
status: {phase: Running, podIP: 10.0.0.1}
---
{kind: Pod, metadata: {name: db, namespace: shop, labels: {app: db}}, spec: {nodeName: n1, containers: []}, status: {phase: Running, podIP: 10.0.0.2}}
---
{kind: Pod, metadata: {name: till, namespace: bank, labels: {app: till}}, spec: {nodeName: n2, containers: []}, status: {phase: Running, podIP: 10.0.1.1}}
`;

const rule = (action: string, more: string, direction: 'ingress' | 'egress' = 'ingress') =>
  `${direction}: [{action: ${action}, ${more}}]`;
const bank = 'from: [{namespaces: {matchLabels: {team: bank}}}]';
const everyone = 'from: [{namespaces: {}}]';
const shop = 'subject: {namespaces: {matchLabels: {team: shop}}}';

const cnp = (name: string, spec: string) => `{kind: ClusterNetworkPolicy, metadata: {name: ${name}}, spec: {${spec}}}`;
const anp = (name: string, spec: string) => `{kind: AdminNetworkPolicy, metadata: {name: ${name}}, spec: {${spec}}}`;
const banp = (spec: string) => `{kind: BaselineAdminNetworkPolicy, metadata: {name: default}, spec: {${spec}}}`;
const admin = (priority: number) => `tier: Admin, priority: ${priority}, ${shop}`;
const baseline = (priority: number) => `tier: Baseline, priority: ${priority}, ${shop}`;
const denyAll = '{kind: NetworkPolicy, metadata: {name: none, namespace: shop}, spec: {podSelector: {}}}';
const allowAll =
  '{kind: NetworkPolicy, metadata: {name: all, namespace: shop}, spec: {podSelector: {}, ingress: [{}]}}';

function ask(policies: readonly string[], from: string, to: string, port: string): { word: string; text: string } {
  const objects = parseAllDocuments([cluster, ...policies].join('\n---\n')).map((document) => document.toJS());
  const [number, protocol = 'tcp'] = port.split('/');
  const spec =
    number === 'icmp'
      ? ({ kind: 'icmp' } as const)
      : ({ kind: 'number', port: Number(number), protocol: protocol.toUpperCase() as 'TCP' } as const);
  const model = readPolicyModel(manifestsOf(objects));
  const services = { ports: [], nodes: [], planAt: () => assert.fail() };
  const outcome = testPolicy(model, services as never, { from, to, port: spec, family: undefined });
  assert.ok(outcome.kind === 'checked', JSON.stringify(outcome));
  const word = outcome.isUnknown ? 'unknown' : outcome.isAllowed ? 'allowed' : 'denied';
  return { word, text: outcome.checks.map(checkText).join('') };
}

/** What it shows, the policies, from, to, port and what comes of it. */
const cases: readonly (readonly [string, readonly string[], string, string, string, string])[] = [
  [
    'Deny before a NetworkPolicy that allows',
    [anp('a', `priority: 5, ${shop}, ${rule('Deny', bank)}`), allowAll],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'a peer that is not named',
    [anp('a', `priority: 5, ${shop}, ${rule('Deny', bank)}`), allowAll],
    'shop/db',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'Allow before a NetworkPolicy that denies',
    [anp('a', `priority: 5, ${shop}, ${rule('Allow', bank)}`), denyAll],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'Pass to a NetworkPolicy that denies',
    [anp('a', `priority: 5, ${shop}, ${rule('Pass', bank)}`), denyAll],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'Pass over a later Deny',
    [cnp('a', `${admin(5)}, ${rule('Pass', bank)}`), cnp('b', `${admin(6)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'Pass to Baseline',
    [cnp('a', `${admin(5)}, ${rule('Pass', bank)}`), cnp('b', `${baseline(6)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'the lower number first',
    [cnp('a', `${admin(7)}, ${rule('Deny', bank)}`), anp('b', `priority: 6, ${shop}, ${rule('Allow', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'the first rule of a policy',
    [cnp('a', `${admin(7)}, ingress: [{action: Accept, ${bank}}, {action: Deny, ${everyone}}]`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'the second rule of a policy',
    [cnp('a', `${admin(7)}, ingress: [{action: Accept, ${bank}}, {action: Deny, ${everyone}}]`)],
    'shop/db',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'Baseline behind a NetworkPolicy',
    [banp(`${shop}, ${rule('Deny', bank)}`), allowAll],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'Baseline where no NetworkPolicy isolates',
    [banp(`${shop}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'a NetworkPolicy of the other direction isolates nothing here',
    [
      banp(`${shop}, ${rule('Deny', bank)}`),
      '{kind: NetworkPolicy, metadata: {name: e, namespace: shop}, spec: {podSelector: {}, policyTypes: [Egress], egress: [{}]}}',
    ],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'Pass of Baseline',
    [cnp('a', `${baseline(1)}, ${rule('Pass', bank)}`), cnp('b', `${baseline(2)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'equal priorities that disagree',
    [cnp('a', `${admin(5)}, ${rule('Deny', bank)}`), anp('b', `priority: 5, ${shop}, ${rule('Allow', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'unknown',
  ],
  [
    'equal priorities that agree',
    [cnp('a', `${admin(5)}, ${rule('Deny', bank)}`), cnp('b', `${admin(5)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'equal priorities of which one matches',
    [
      cnp('a', `${admin(5)}, ${rule('Deny', bank)}`),
      cnp(
        'b',
        `${admin(5)}, ${rule('Accept', 'from: [{pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: db}}}}]')}`,
      ),
    ],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'equal priorities that differ and come to the same',
    [cnp('a', `${admin(5)}, ${rule('Accept', bank)}`), cnp('b', `${admin(5)}, ${rule('Pass', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'equal priorities of two tiers',
    [cnp('a', `${admin(5)}, ${rule('Accept', bank)}`), cnp('b', `${baseline(5)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'a BaselineAdminNetworkPolicy has no place in its tier',
    [banp(`${shop}, ${rule('Deny', bank)}`), cnp('b', `${baseline(1)}, ${rule('Accept', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'unknown',
  ],
  [
    'a BaselineAdminNetworkPolicy that agrees',
    [banp(`${shop}, ${rule('Deny', bank)}`), cnp('b', `${baseline(1)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'a port of v1alpha1',
    [anp('a', `priority: 5, ${shop}, ${rule('Deny', `${bank}, ports: [{portRange: {start: 80, end: 90}}]`)}`)],
    'bank/till',
    'shop/web',
    '85',
    'denied',
  ],
  [
    'a port beside it',
    [anp('a', `priority: 5, ${shop}, ${rule('Deny', `${bank}, ports: [{portRange: {start: 80, end: 90}}]`)}`)],
    'bank/till',
    'shop/web',
    '91',
    'allowed',
  ],
  [
    'a range that ends before it begins',
    [anp('a', `priority: 5, ${shop}, ${rule('Deny', `${bank}, ports: [{portRange: {start: 90, end: 80}}]`)}`)],
    'bank/till',
    'shop/web',
    '85',
    'allowed',
  ],
  [
    'another protocol',
    [cnp('a', `${admin(5)}, ${rule('Deny', `${bank}, protocols: [{udp: {destinationPort: {number: 80}}}]`)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'its protocol',
    [cnp('a', `${admin(5)}, ${rule('Deny', `${bank}, protocols: [{udp: {destinationPort: {number: 80}}}]`)}`)],
    'bank/till',
    'shop/web',
    '80/udp',
    'denied',
  ],
  [
    'a named port is of any protocol',
    [cnp('a', `${admin(5)}, ${rule('Deny', `${bank}, protocols: [{destinationNamedPort: dns}]`)}`)],
    'bank/till',
    'shop/web',
    '53/udp',
    'denied',
  ],
  [
    'a named port of another protocol',
    [cnp('a', `${admin(5)}, ${rule('Deny', `${bank}, protocols: [{destinationNamedPort: dns}]`)}`)],
    'bank/till',
    'shop/web',
    '53',
    'allowed',
  ],
  [
    'ICMP under a rule without ports',
    [cnp('a', `${admin(5)}, ${rule('Deny', bank)}`)],
    'bank/till',
    'shop/web',
    'icmp',
    'denied',
  ],
  [
    'ICMP under a rule with ports',
    [cnp('a', `${admin(5)}, ${rule('Deny', `${bank}, protocols: [{destinationNamedPort: http}]`)}`)],
    'bank/till',
    'shop/web',
    'icmp',
    'allowed',
  ],
  [
    'networks hold Pods too',
    [cnp('a', `${admin(5)}, ${rule('Deny', 'to: [{networks: [10.0.1.0/24]}]', 'egress')}`)],
    'shop/web',
    'bank/till',
    '80',
    'denied',
  ],
  [
    'networks of the other family',
    [cnp('a', `${admin(5)}, ${rule('Deny', 'to: [{networks: ["::/0"]}]', 'egress')}`)],
    'shop/web',
    'bank/till',
    '80',
    'allowed',
  ],
  [
    'nodes by label',
    [cnp('a', `${admin(5)}, ${rule('Deny', 'to: [{nodes: {matchLabels: {zone: b}}}]', 'egress')}`)],
    'shop/web',
    'node/n2',
    '80',
    'denied',
  ],
  [
    'nodes with another label',
    [cnp('a', `${admin(5)}, ${rule('Deny', 'to: [{nodes: {matchLabels: {zone: b}}}]', 'egress')}`)],
    'shop/web',
    'node/n1',
    '80',
    'allowed',
  ],
  [
    'namespaces hold no node',
    [cnp('a', `${admin(5)}, ${rule('Deny', everyone)}`)],
    'node/n2',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'domain names outside',
    [
      cnp(
        'a',
        `${admin(5)}, egress: [{action: Accept, to: [{domainNames: ["*.example.com"]}]}, {action: Deny, to: [{networks: [0.0.0.0/0]}]}]`,
      ),
    ],
    'shop/web',
    '203.0.113.9',
    '443',
    'unknown',
  ],
  [
    'domain names and a Pod',
    [
      cnp(
        'a',
        `${admin(5)}, egress: [{action: Accept, to: [{domainNames: ["*.example.com"]}]}, {action: Deny, to: [{networks: [0.0.0.0/0]}]}]`,
      ),
    ],
    'shop/web',
    'bank/till',
    '443',
    'denied',
  ],
  [
    'domain names that change nothing',
    [cnp('a', `${admin(5)}, ${rule('Accept', 'to: [{domainNames: ["*.example.com"]}]', 'egress')}`)],
    'shop/web',
    '203.0.113.9',
    '443',
    'allowed',
  ],
  [
    'both sides are asked',
    [
      cnp(
        'a',
        `tier: Admin, priority: 5, subject: {namespaces: {}}, ${rule('Accept', bank)}, egress: [{action: Deny, to: [{namespaces: {matchLabels: {team: shop}}}]}]`,
      ),
    ],
    'bank/till',
    'shop/web',
    '80',
    'denied',
  ],
  [
    'no subject',
    [cnp('a', `tier: Admin, priority: 5, subject: {namespaces: {matchLabels: {team: x}}}, ${rule('Deny', everyone)}`)],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
  [
    'a subject by pods',
    [
      cnp(
        'a',
        `tier: Admin, priority: 5, subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: db}}}}, ${rule('Deny', everyone)}`,
      ),
    ],
    'bank/till',
    'shop/db',
    '80',
    'denied',
  ],
  [
    'a subject by other pods',
    [
      cnp(
        'a',
        `tier: Admin, priority: 5, subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: db}}}}, ${rule('Deny', everyone)}`,
      ),
    ],
    'bank/till',
    'shop/web',
    '80',
    'allowed',
  ],
];

describe('cluster-wide policies', () => {
  for (const [what, policies, from, to, port, expected] of cases) {
    it(`${what}: ${expected}`, () => {
      const { word, text } = ask(policies, from, to, port);
      assert.equal(word, expected, text);
    });
  }

  it('say which rules disagree', () => {
    const { text } = ask(
      [cnp('a', `${admin(5)}, ${rule('Deny', bank)}`), anp('b', `priority: 5, ${shop}, ${rule('Allow', bank)}`)],
      'bank/till',
      'shop/web',
      '80',
    );
    assert.equal(
      text,
      `unknown: bank/till (10.0.1.1) -> shop/web (10.0.0.1) 80/tcp
  egress: allowed: no policy isolates the pod in this direction
  ingress: unknown: policies of equal priority match and disagree, and a cluster may take any of them
    Accept: AdminNetworkPolicy b (priority 5), ingress[0] from[0]: all pods in namespaces with team=bank, any port
    Deny: ClusterNetworkPolicy a (Admin tier, priority 5), ingress[0] from[0]: all pods in namespaces with team=bank, any port
`,
    );
  });

  it('say what passed on, and what decided then', () => {
    const passing = cnp('a', `${admin(5)}, ${rule('Pass', bank)}`);
    const { text } = ask([passing, cnp('b', `${baseline(6)}, ${rule('Deny', bank)}`)], 'bank/till', 'shop/web', '80');
    assert.match(text, /\n {2}ingress: passed on by ClusterNetworkPolicy a \(Admin tier, priority 5\), ingress\[0\]/);
    assert.match(text, /\n {2}ingress: denied by ClusterNetworkPolicy b \(Baseline tier, priority 6\), ingress\[0\]/);
  });

  it('say what domain names leave open', () => {
    const names = 'egress: [{action: Deny, to: [{domainNames: [a.example.com, b.example.com]}]}]';
    const { text } = ask([cnp('a', `${admin(5)}, ${names}`)], 'shop/web', '203.0.113.9', '443');
    assert.match(text, /does not show the addresses of the domain names a\.example\.com, b\.example\.com, and Cluster/);
    assert.doesNotMatch(text, /--assume-empty-labels/);
  });
});
