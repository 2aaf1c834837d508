import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import { diffNode } from '../../src/diff/diffNode.ts';
import { compileForDump } from '../../src/diff/settle/compileForDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { root } from '../support/compileCase.ts';
import { targetFlags } from '../support/targetFlags.ts';

type Json = Record<string, unknown> & { spec?: Record<string, unknown>; status?: unknown };

/** The Services of a cluster as a repository has them: without what the cluster filled in, and without endpoints. */
function asInRepository(text: string): string {
  const objects = parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    const value = document.toJS() as Json & { items?: Json[] };
    return value?.items ?? (value ? [value] : []);
  });
  const kept = objects.filter(({ kind }) => kind === 'Service' || kind === 'Node');
  for (const object of kept) {
    if (object.kind !== 'Service') continue;
    const { clusterIP, clusterIPs, healthCheckNodePort: _, ipFamilies: __, ...spec } = object.spec ?? {};
    delete object.status;
    const isHeadless = clusterIP === 'None' || (clusterIPs as string[] | undefined)?.[0] === 'None';
    const ports = (spec.ports as Record<string, unknown>[] | undefined)?.map(({ nodePort: ___, ...port }) => port);
    object.spec = { ...spec, ...(ports && { ports }), ...(isHeadless && { clusterIP: 'None' }) };
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: kept });
}

/** What a comparison of stripped manifests with a dump finds, beside advice. */
async function findings(scenario: string, mode: string, dump: string, text = readFileSync(dump, 'utf8')) {
  const folder = join(root, 'fixtures/services', scenario);
  const args = readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/);
  const config = existsSync(join(folder, 'config.yaml'))
    ? readFileSync(join(folder, 'config.yaml'), 'utf8')
    : undefined;
  const flags = targetFlags([...args, '--mode', mode, '--kube-version', '1.30', '--family', 'ipv4']);
  const report = () => undefined;
  const manifests = asInRepository(readFileSync(join(folder, 'manifests.yaml'), 'utf8'));
  const { objects } = await loadTexts([{ name: 'app.json', text: manifests }], report);
  const configObjects = config ? (await loadTexts([{ name: 'config.yaml', text: config }], report)).objects : [];
  const node = readDumps([{ name: 'dump', text }], { name: 'dump' });
  const input = { objects, configObjects, target: targetOptions(flags), kubeVersion: flags.kubeVersion };
  const expected = compileForDump(input, node, report);
  assert.ok(expected);
  const result = await diffNode(expected, { level: 'rules', hasNfacct: false, family: 'ipv4' });
  return { failing: result.findings.filter(isFailing), changes: result.changes, notes: result.notes };
}

// One of its Services has no cluster IP in the cluster either.
const scenarios = readdirSync(join(root, 'golden/recorded/services')).filter((name) => name !== 'skip-services');

for (const [mode, file] of [
  ['iptables', 'iptables/iptables.v4.save'],
  ['nftables', 'nftables/nft.v4.save'],
] as const) {
  describe(`manifests from a repository against a healthy node in ${mode} mode`, () => {
    for (const scenario of scenarios) {
      const dump = join(root, 'golden/recorded/services', scenario, file);
      if (!existsSync(dump)) continue;
      it(scenario, async () => {
        const { failing, changes } = await findings(scenario, mode, dump);
        assert.deepEqual(
          failing.map(({ code, service, what }) => `${code} ${service}: ${what}`),
          [],
        );
        assert.deepEqual(changes, []);
      });
    }
  });
}

it('makes nothing up in IPVS mode, whose rules name no Services', async () => {
  for (const scenario of ['lb-etp-local', 'clusterip-endpoint-counts', 'realistic-boutique']) {
    const folder = join(root, 'golden/recorded/services', scenario, 'ipvs');
    const text = ['iptables.v4.save', 'ipset.v4.save', 'ipvsadm.v4.save']
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const { failing, changes, notes } = await findings(scenario, 'ipvs', folder, text);
    assert.deepEqual(failing, [], scenario);
    assert.deepEqual(changes, [], scenario);
    assert.match(notes.join('\n'), /rules of IPVS mode name no Services/);
  }
});

it('still finds what is wrong with the rest', async () => {
  const dump = join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save');
  const text = readFileSync(dump, 'utf8');
  const [line = ''] = /^-A KUBE-SVC-\S+ ! -s .*\n/m.exec(text) ?? [];
  const { failing } = await findings('lb-etp-local', 'iptables', dump, text.replace(line, ''));
  assert.deepEqual(
    failing.map(({ code }) => code),
    ['K8N401'],
  );
});

describe('manifests of a repository beside a node of a live cluster', () => {
  for (const name of readdirSync(join(root, 'golden/recorded/live')))
    for (const mode of ['iptables', 'nftables'])
      it(`${name}: nothing of ${mode} mode is called damaged`, async () => {
        const folder = join(root, 'golden/recorded/live', name);
        const recorded = join(folder, '1.37', mode);
        if (!existsSync(recorded)) return;
        const files = readdirSync(recorded).filter((file) => !file.endsWith('.restore'));
        const node = readDumps(
          files.map((file) => ({ name: file, text: readFileSync(join(recorded, file), 'utf8') })),
          { name: 'dump' },
        );
        const text = asInRepository(readFileSync(join(folder, 'objects.json'), 'utf8'));
        const { objects } = await loadTexts([{ name: 'app.json', text }], () => undefined);
        const kubeVersion = targetFlags(['--kube-version', '1.37']).kubeVersion;
        const input = { objects, configObjects: await configOf(name), target: { node: nodeOf(name) }, kubeVersion };
        const expected = compileForDump(input, node, () => undefined);
        assert.ok(expected);
        const { findings: found } = await diffNode(expected, { level: 'rules', hasNfacct: false, family: 'both' });
        assert.deepEqual(
          found.filter(isFailing).map(({ code, what }) => `${code} ${what}`),
          [],
        );
      });
});

function fixtureFile(name: string, file: string): string | undefined {
  return ['services', 'nft-dialects', 'live'].map((set) => join(root, 'fixtures', set, name, file)).find(existsSync);
}

function nodeOf(name: string): string {
  return /--node (\S+)/.exec(readFileSync(fixtureFile(name, 'args') ?? '', 'utf8'))?.[1] ?? '';
}

/** The settings with which the node was recorded. */
async function configOf(name: string) {
  const file = fixtureFile(name, 'config.yaml');
  if (file === undefined) return [];
  const text = readFileSync(file, 'utf8');
  return (await loadTexts([{ name: 'config.yaml', text }], () => undefined)).objects;
}
