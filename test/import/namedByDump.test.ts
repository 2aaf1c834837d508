import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedByDump } from '../../src/import/namedByDump.ts';
import { seenServices } from '../../src/import/seenServices.ts';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { expectedRules } from '../../src/pipeline/expectedRules.ts';
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
    const [service, endpoints] = namedByDump(objects, () => seenServices(dump)).map(({ value }) => value) as Shown[];
    assert.deepEqual(service?.spec?.ports, ports);
    const shown = endpoints?.subsets?.[0]?.ports.map(({ name, port, protocol }) => `${name} ${port}/${protocol}`);
    assert.deepEqual(shown?.sort(), ['dns 53/UDP', 'dns-tcp 53/TCP', 'metrics 9153/TCP']);
  });
}

test('where the dump does not show all names nothing is guessed', async () => {
  const { compiled } = await compileText(manifests);
  const dump = expectedRules(compiled, { hasNfacct: false }).rules;
  const text = tables.replace('9153/TCP', '9154/TCP').replace('9153', '9154');
  const { objects } = await loadTexts([{ name: 't', text }], () => undefined);
  assert.deepEqual(
    namedByDump(objects, () => seenServices(dump)),
    objects,
  );
});
