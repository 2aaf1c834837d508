import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completedByDump } from '../../src/import/completedByDump.ts';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { expectedRules } from '../../src/pipeline/expected/expectedRules.ts';
import { seenServices } from '../../src/seen/ports/seenServices.ts';
import { compileText } from '../support/compileText.ts';

const dns = (name: string, port: number, protocol: string) => ({ name, port, protocol });
const ports = [dns('dns', 53, 'UDP'), dns('dns-tcp', 53, 'TCP'), dns('metrics', 9153, 'TCP')];
const manifests = [
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'dns' }, spec: { clusterIP: '10.0.0.10', ports } },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'dns' },
    subsets: [{ addresses: [{ ip: '10.2.0.3' }], ports }],
  },
]
  .map((object) => JSON.stringify(object))
  .join('\n');

type Ports = readonly { name: string; port: number; protocol: string }[];

interface Shown {
  readonly spec?: { readonly ports: Ports };
  readonly subsets?: readonly { readonly ports: Ports }[];
}

const tables = `NAME  TYPE       CLUSTER-IP  EXTERNAL-IP  PORT(S)                  AGE
dns   ClusterIP  10.0.0.10   <none>       53/UDP,53/TCP,9153/TCP   8m

NAME  ENDPOINTS                                    AGE
dns   10.2.0.3:53,10.2.0.3:9153,10.2.0.3:53        8m
`;

for (const mode of ['iptables', 'nftables'] as const) {
  test(`a table's ports get the names that a dump of ${mode} mode shows`, async () => {
    const { compiled } = await compileText(manifests, '--mode', mode);
    const dump = expectedRules(compiled, { hasNfacct: false }).rules;
    const { objects } = await loadTexts([{ name: 't', text: tables }], () => undefined);
    const [service, endpoints] = completedByDump(objects, () => seenServices(dump)).objects.map(
      ({ value }) => value,
    ) as Shown[];
    assert.deepEqual(service?.spec?.ports, ports);
    const shown = endpoints?.subsets?.[0]?.ports.map(({ name, port, protocol }) => `${name} ${port}/${protocol}`);
    assert.deepEqual(shown?.sort(), ['dns 53/UDP', 'dns-tcp 53/TCP', 'metrics 9153/TCP']);
  });
}

/** What tables show beside the rules of other manifests. */
async function beside(text: string, others = manifests) {
  const { compiled } = await compileText(others);
  const dump = expectedRules(compiled, { hasNfacct: false }).rules;
  const { objects } = await loadTexts([{ name: 't', text }], () => undefined);
  return completedByDump(objects, () => seenServices(dump));
}

test('a name that no rule tells is made up and says so, and those that rules tell stay', async () => {
  const { objects, named } = await beside(tables.replace('9153/TCP', '9154/TCP').replace('9153', '9154'));
  const [service, endpoints] = objects.map(({ value }) => value) as Shown[];
  const names = ['dns', 'dns-tcp', 'name-unknown-tcp-9154'];
  assert.deepEqual(named, ['default/dns']);
  assert.deepEqual(
    service?.spec?.ports.map(({ name }) => name),
    names,
  );
  assert.deepEqual(endpoints?.subsets?.[0]?.ports.map(({ name }) => name).sort(), names);
});

test('endpoints with other numbers than rules and Service have are given to no port', async () => {
  const { objects, named } = await beside(tables.replaceAll('10.2.0.3:53,10.2.0.3:9153', '10.2.0.3:54,10.2.0.3:8153'));
  assert.deepEqual(named, []);
  assert.deepEqual(
    objects.map(({ detail }) => detail),
    [1, 0],
  );
});

test('without a dump such endpoints stay as they are, to be refused', async () => {
  const text = tables.replaceAll('10.2.0.3:53,10.2.0.3:9153', '10.2.0.3:54,10.2.0.3:8153');
  const { objects } = await loadTexts([{ name: 't', text }], () => undefined);
  assert.deepEqual(completedByDump(objects, () => undefined).objects[1], objects[1]);
});

test('what a table hides of a Service is as the rules have it', async () => {
  const spec = {
    type: 'LoadBalancer',
    clusterIP: '10.0.0.10',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32000,
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 77 } },
    ports: [{ name: 'web', port: 80, nodePort: 30080, protocol: 'TCP' }],
  };
  const status = { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } };
  const whole = [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec, status },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web' },
      subsets: [{ addresses: [{ ip: '10.2.0.3' }], ports: [{ name: 'web', port: 8080 }] }],
    },
  ];
  const text = `NAME  TYPE          CLUSTER-IP  EXTERNAL-IP  PORT(S)       AGE
web   LoadBalancer  10.0.0.10   203.0.113.7  80:30080/TCP  8m
`;
  const { objects } = await beside(text, whole.map((object) => JSON.stringify(object)).join('\n'));
  const [service] = objects.map(({ value }) => value);
  assert.deepEqual(service?.spec, spec);
});
