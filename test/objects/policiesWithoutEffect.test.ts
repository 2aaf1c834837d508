import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyManifests } from '../../src/model/policyModel.ts';
import { policiesWithoutEffect } from '../../src/objects/policies/policiesWithoutEffect.ts';

type Origin = PolicyManifests['pods'][number]['origin'];

function seen(app: string, port: string, protocol: 'TCP' | 'UDP' = 'TCP', hasPods = true): readonly string[] {
  const origin = {} as Origin;
  const pod = {
    metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', ports: [{ name: 'http', containerPort: 80 }] }] },
  };
  const policy = {
    metadata: { name: 'allow', namespace: 'shop' },
    spec: { podSelector: { matchLabels: { app } }, ingress: [{ ports: [{ port, protocol }] }] },
  };
  const findings = policiesWithoutEffect({
    networkPolicies: [{ value: policy, origin }],
    pods: hasPods ? [{ value: pod, origin }] : [],
    namespaces: [],
    nodes: [],
  });
  assert.ok(findings.every(({ code }) => code === 'K8N905'));
  return findings.map((finding) => finding.what);
}

describe('policies without effect', () => {
  it('names a policy that selects no Pod', () => {
    assert.deepEqual(seen('wbe', 'http'), ['NetworkPolicy shop/allow selects no Pod']);
  });

  it('names a named port that no Pod has, also under another protocol', () => {
    assert.deepEqual(seen('web', 'htpt'), ['NetworkPolicy shop/allow allows port htpt/TCP, which no Pod has']);
    assert.equal(seen('web', 'http', 'UDP').length, 1);
  });

  it('says nothing where both are there, or where no Pods are given', () => {
    assert.deepEqual(seen('web', 'http'), []);
    assert.deepEqual(seen('wbe', 'http', 'TCP', false), []);
  });
});

describe('named ports of egress', () => {
  type Rule = { readonly to?: readonly object[]; readonly ports: readonly object[] };
  const pod = (namespace: string, app: string, port: string, ip?: string) => ({
    origin: {} as Origin,
    value: {
      metadata: { name: `${app}-0`, namespace, labels: { app } },
      spec: { containers: [{ name: app, ports: [{ name: port, containerPort: 80 }] }] },
      status: ip === undefined ? {} : { podIP: ip },
    },
  });
  const pods = [
    pod('shop', 'web', 'http', '10.1.0.1'),
    pod('shop', 'db', 'sql', '10.1.0.2'),
    pod('logs', 'sink', 'syslog', 'fd00::7'),
  ];
  const to = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });
  const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });

  function said(peers: readonly object[] | undefined, ...names: readonly string[]): readonly string[] {
    const rule: Rule = { ...(peers && { to: peers }), ports: names.map((port) => ({ port })) };
    const spec = { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Egress' as const], egress: [rule] };
    const value = { metadata: { name: 'out', namespace: 'shop' }, spec };
    const networkPolicies = [{ value, origin: {} as Origin }];
    const findings = policiesWithoutEffect({ networkPolicies, pods, namespaces: [], nodes: [] });
    return findings.map(({ what: text }) => text.replace('NetworkPolicy shop/out allows port ', ''));
  }

  it('are those of the peers that selectors find, in the namespaces that they name', () => {
    const db = { podSelector: { matchLabels: { app: 'db' } } };
    assert.deepEqual(said([db], 'sql'), []);
    assert.deepEqual(said([db], 'http', 'sqll'), [
      'http/TCP, which no Pod that it lets them reach has',
      'sqll/TCP, which no Pod has',
    ]);
    assert.deepEqual(said([db, to('logs')], 'sql', 'syslog'), []);
    assert.equal(said([to('logs')], 'sql').length, 1);
    assert.equal(said([{ ...to('logs'), ...db }], 'sql').length, 1);
    assert.deepEqual(said([{ namespaceSelector: {} }], 'sql', 'syslog'), []);
  });

  it('are those of all Pods in a rule without peers', () => {
    assert.deepEqual(said(undefined, 'syslog'), []);
    assert.equal(said([{}], 'syslog').length, 1);
  });

  it('of a block are those of Pods with an address in it', () => {
    assert.deepEqual(said([block('10.1.0.0/24')], 'sql'), []);
    assert.deepEqual(said([block('fd00::/64')], 'syslog'), []);
    assert.equal(said([block('10.1.0.0/24', '10.1.0.2/32')], 'sql').length, 1);
    assert.equal(said([block('192.0.2.0/24')], 'http').length, 1);
  });

  it('are looked up at once for many policies', { timeout: 20_000 }, () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      pod('shop', `a${at % 2000}`, 'http', `10.9.${at >> 8}.${at & 255}`),
    );
    const rule = (at: number): Rule => ({
      to: [{ podSelector: { matchLabels: { app: `a${at % 2000}` } } }, block(`10.9.${at % 70}.0/24`)],
      ports: [{ port: 'none' }, { port: 'http' }],
    });
    const networkPolicies = Array.from({ length: 5000 }, (_, at) => ({
      origin: {} as Origin,
      value: {
        metadata: { name: `p${at}`, namespace: 'shop' },
        spec: {
          podSelector: { matchLabels: { app: `a${at % 2000}` } },
          policyTypes: ['Egress' as const],
          egress: [rule(at)],
        },
      },
    }));
    const findings = policiesWithoutEffect({ networkPolicies, pods: many, namespaces: [], nodes: [] });
    assert.equal(findings.length, 5000);
  });
});
