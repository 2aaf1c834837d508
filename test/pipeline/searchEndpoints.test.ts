import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { indexLongDump } from '../../src/dump/bytes/indexLongDump.ts';
import { readLongDump } from '../../src/dump/bytes/readLongDump.ts';
import type { SearchEndpoints } from '../../src/node/chains/endpointSearch.ts';
import type { RuleTable } from '../../src/node/nodeRules.ts';
import { artefacts } from '../../src/output/artefacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { expectedRules } from '../../src/pipeline/expected/expectedRules.ts';
import { compileText } from '../support/compileText.ts';
import { searchAtOnce } from '../support/searchAtOnce.ts';

const everything = { leastBytes: 0, leastChains: 0, headBytes: 0, headLines: 0 };

/** Every protocol, affinity, endpoints that are not ready, and an address that iptables-save writes in another way. */
const cluster = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    ...ported('web', '10.96.0.1', { sessionAffinity: 'ClientIP' }, ['10.0.0.1', '10.0.0.2', '010.0.0.3']),
    ...ported('local', '10.96.0.2', { type: 'NodePort', externalTrafficPolicy: 'Local' }, ['10.0.1.1', '10.0.1.2']),
    ...ported('idle', '10.96.0.3', {}, []),
    ...ported('one', '10.96.0.4', {}, ['10.0.3.1', '10.0.3.2', '10.0.3.3', '10.0.3.4']),
  ],
});

function ported(name: string, clusterIP: string, spec: object, addresses: readonly string[]): readonly object[] {
  const ports = ['TCP', 'UDP', 'SCTP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 80, protocol }));
  const metadata = { name, namespace: 'shop' };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP, ports, ...spec } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      ports: ports.map(({ name: port, protocol }) => ({ name: port, port: 8080, protocol })),
      endpoints: addresses.map((address, at) => ({
        addresses: [address],
        conditions: { ready: at !== 1, serving: at !== 1 },
        nodeName: at === 0 ? 'node-1' : 'node-2',
      })),
    },
  ];
}

async function compiledAs(version: string): Promise<Compiled> {
  const args = ['--node', 'node-1', '--family', 'ipv4', '--kube-version', version];
  return (await compileText(cluster, ...args)).compiled;
}

/** What is expected beside a dump that is read in bytes: its chains that are as they should be, and all others made. */
function besides(compiled: Compiled, text: string, search: (index: Index) => SearchEndpoints | undefined) {
  const index = indexLongDump(Buffer.from(text), everything) as Index;
  const found = readLongDump({ name: 'node.save', node: 'node' }, index, undefined);
  assert.ok(found);
  const { rules, equal } = expectedRules(compiled, { hasNfacct: false }, { found, search: search(index) });
  const dumped = found.iptables[0]?.tables.get('nat') as RuleTable;
  assert.ok(dumped.chains.bytes);
  const made = rules.iptables[0]?.tables.get('nat')?.chains ?? new Map();
  return {
    equal: [...dumped.chains.values()].filter(equal.has).map(({ name }) => name),
    made: [...made].map(([name, { text: own, owner }]) => [name, own, owner]),
  };
}

type Index = NonNullable<ReturnType<typeof indexLongDump>>;

describe('chains of endpoints that are looked for beside everything else', () => {
  for (const version of knownVersions('iptables').map(formatKubeVersion)) {
    it(`are those that are found otherwise, as ${version} writes them`, async () => {
      const compiled = await compiledAs(version);
      const made = await artefacts(compiled, { hasNfacct: false }, () => {});
      const save = [...(made.find(({ form }) => form === 'save')?.text() ?? [])].join('');
      const edited = save
        .replace(/(?<=--to-destination )10\.0\.0\.1\b/, '192.0.2.1')
        .replace(/ -j KUBE-MARK-MASQ(?=\n-A KUBE-SEP)/, ' -j ACCEPT');
      const spelled = save.replaceAll(/\b(?:10|8)\.0\.0\.3\b/g, '010.0.0.3');
      let searched = 0;
      for (const text of [save, edited, spelled]) {
        const plain = besides(compiled, text, () => undefined);
        const own = besides(compiled, text, (index) => (...asked) => {
          const found = searchAtOnce(index)(...asked);
          searched += found.chains.filter((chain) => chain !== -1).length;
          return found;
        });
        assert.deepEqual(own, plain);
        assert.ok(own.equal.some((name) => name.startsWith('KUBE-SEP-')));
      }
      assert.ok(searched > 10, `${searched} chains were found`);
    });
  }
});
