import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { artefacts } from '../../src/output/artefacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileText } from '../support/compileText.ts';

const services = 450;
const endpoints = 5;

/** More chains than a version is looked for in as a whole, and of what tells versions apart one Service each. */
function cluster(): string {
  const items: object[] = [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'zone-1' } },
    },
  ];
  for (let at = 0; at < services; at += 1) {
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
    items.push(service(`web-${at}`, `10.96.${at >> 8}.${at & 255}`, { ports }), slice(`web-${at}`, at, 'http'));
  }
  const isProxied = { loadBalancer: { ingress: [{ ip: '192.0.2.10', ipMode: 'Proxy' }] } };
  const ports = [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }];
  const local = { ports, externalTrafficPolicy: 'Local' };
  items.push(
    service('proxied', '10.96.9.1', { ports, type: 'LoadBalancer' }, isProxied),
    slice('proxied', services, 'http'),
    service('local', '10.96.9.2', { ...local, ports: [{ name: 'http', port: 80 }], externalIPs: ['192.0.2.20'] }),
    slice('local', services + 1, 'http'),
    service('hinted', '10.96.9.3', { ports: [{ name: 'http', port: 80 }] }),
    slice('hinted', services + 2, 'http', 'zone-1'),
    // An endpoint that a later slice knows as not ready: like the others, but for what 1.36 makes of it.
    service('twice', '10.96.9.4', { ports: [{ name: 'http', port: 80 }] }),
    slice('twice', services + 3, 'http', undefined, endpoints - 1),
    lateSlice('twice', services + 3),
  );
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

function service(name: string, clusterIP: string, spec: object, status: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { clusterIP, ...spec },
    status,
  };
}

function slice(name: string, at: number, port: string, zone?: string, length = endpoints): object {
  const addresses = Array.from({ length }, (_, index) => at * endpoints + index);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: port, port: 8080, protocol: 'TCP' }],
    endpoints: addresses.map((number, index) => ({
      addresses: [`10.244.${number >> 8}.${number & 255}`],
      conditions: { ready: index < length - 1 },
      nodeName: index === 0 ? 'node-1' : 'node-2',
      ...(zone !== undefined && { hints: { forZones: [{ name: index === 0 ? zone : 'zone-2' }] } }),
    })),
  };
}

/** Another slice of one with few endpoints: its second is not ready there. */
function lateSlice(name: string, at: number): object {
  const number = at * endpoints + 1;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-2`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [
      { addresses: [`10.244.${number >> 8}.${number & 255}`], conditions: { ready: false }, nodeName: 'node-2' },
    ],
  };
}

const target = ['--node', 'node-1', '--cluster-cidr', '10.244.0.0/16', '--family', 'ipv4'];

describe('a dump of a large node, without a version asked for', () => {
  const text = cluster();
  let asked: Compiled;
  before(async () => {
    asked = (await compileText(text, ...target)).compiled;
  });

  async function dumpOf(version: string): Promise<string> {
    const { compiled } = await compileText(text, ...target, '--kube-version', version);
    const made = await artefacts(compiled, { hasNfacct: false }, () => {});
    return [...(made.find(({ form }) => form === 'save')?.text() ?? [])].join('');
  }

  function compare(compiled: Compiled, dump: string) {
    const options = { level: 'rules', hasNfacct: false, family: 'ipv4', ...noObjectFacts } as const;
    const report = diffManifests(compiled, readDumps([{ name: 'node', text: dump }], { name: 'node' }), options);
    const failing = report.findings.filter(isFailing).map(({ code, service: name }) => `${code} ${name}`);
    return { failing, changes: report.changes, note: report.notes.find((one) => /compared with/.test(one)) ?? '' };
  }

  for (const [version, found] of [
    ['1.27', '1.28'],
    ['1.29', '1.29'],
    ['1.30', '1.30'],
    ['1.31', '1.35'],
    ['1.36', '1.36'],
  ] as const) {
    it(`is compared with a version that writes what ${version} does, whatever else is wrong there`, async () => {
      const dump = await dumpOf(version);
      assert.ok(dump.split('\n').filter((line) => line.startsWith(':')).length > 2000);
      const whole = compare(asked, dump);
      assert.deepEqual([whole.failing, whole.changes], [[], []]);
      assert.equal(/compared with (\S+),/.exec(whole.note)?.[1] ?? '1.36', found);
      // Each thirtieth endpoint of the whole node.
      let at = 0;
      const broken = dump.replace(/ --to-destination \S+/g, (found) =>
        at++ % 30 === 0 ? ' --to-destination 192.0.2.1:9' : found,
      );
      const edited = compare(asked, broken);
      assert.equal(edited.note, whole.note);
      assert.deepEqual(new Set(edited.failing.map((one) => one.split(' ')[0])), new Set(['K8N203']));
      assert.equal(edited.failing.length, Math.ceil(at / 30));
    });
  }
});
