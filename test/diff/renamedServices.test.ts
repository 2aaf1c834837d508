import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { root } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';
import { wholeNode } from './diffCase.ts';

/** A Service that has another name now, with affinity, source ranges, policy Local and two families. */
const renamed: readonly (readonly [fixture: string, name: string])[] = [
  ['affinity-lb-nodeport', 'sticky'],
  ['dualstack-lb-mixed', 'mixed'],
  ['policy-both-local', 'both'],
];

const modes = [
  ['iptables', '1.36'],
  ['iptables', '1.30'],
  ['nftables', '1.36'],
  ['nftables', '1.29'],
] as const;

describe('the rules of a Service under its earlier name', () => {
  for (const [fixture, name] of renamed) {
    for (const [mode, version] of modes) {
      it(`are those of its ports, whatever it has: ${fixture}, ${mode} ${version}`, async () => {
        const { files } = await wholeNode(fixture, mode, version);
        const folder = join(root, 'fixtures/services', fixture);
        const objects = readFileSync(join(folder, 'manifests.yaml'), 'utf8')
          .replace(new RegExp(`^(kind: Service\\n(?:.*\\n)*?  name: )${name}$`, 'm'), '$1other')
          .replace(new RegExp(`(service-name: )${name}$`, 'gm'), '$1other');
        const args = readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/);
        const target = ['--mode', mode, '--kube-version', version, '--no-allocate'];
        const { compiled } = await compileText(objects, ...args, ...clusterCidr(folder), ...target);
        const dump = readDumps(files, { name: 'node', family: undefined });
        const how = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
        const { findings, changes } = diffManifests(compiled, dump, how);
        const failing = findings.filter(isFailing);
        assert.deepEqual(changes, []);
        assert.deepEqual(
          failing.map(({ code, service, what }) => `${code} ${service?.split(':')[0]}: ${what.replace(/:\w+$/, '')}`),
          [`K8N223 default/other: the rules are still those of default/${name}`],
        );
      });
    }
  }
});

/** The only setting in the configurations of these nodes. */
function clusterCidr(folder: string): readonly string[] {
  const config = readFileSync(join(folder, 'config.yaml'), 'utf8');
  const [, range] = /^clusterCIDR: (.*)$/m.exec(config) ?? [];
  return range === undefined ? [] : ['--cluster-cidr', range.replaceAll('"', '')];
}
