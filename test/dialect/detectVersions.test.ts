import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dialectOf } from '../../src/dialect/dialectOf.ts';
import { formatKubeVersion, type KubeVersion, parseKubeVersion } from '../../src/dialect/version.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { everyTool } from '../../src/node/ruleKinds.ts';
import { detectedIn } from '../../src/seen/versions/detectedIn.ts';
import { root } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { recorded } from '../support/golden.ts';
import { type RecordedDump, recordedDumps } from '../support/recordedDumps.ts';

function detect({ mode, files }: Pick<RecordedDump, 'mode' | 'files'>): readonly KubeVersion[] {
  const detection = detectedIn(mode, everyTool(readDumps(files, { name: 'node' })));
  return detection?.versions ?? assert.fail('nothing was detected');
}

describe('versions are told from dumps', () => {
  const dumps = [...recordedDumps()];
  for (const [mode, most] of [
    ['iptables', 4],
    ['ipvs', 2],
    ['nftables', 2],
  ] as const) {
    const profileOf = (version: KubeVersion) => JSON.stringify(dialectOf(mode, version).spelling);
    const named: number[] = [];
    it(`of ${mode} mode: the one that wrote it is always named`, () => {
      const all = dumps.filter((one) => one.mode === mode);
      assert.ok(all.length > 300, `${all.length} dumps`);
      for (const dump of drawn(all)) {
        const profiles = new Set(detect(dump).map(profileOf));
        const own = profileOf(parseKubeVersion(dump.version) as KubeVersion);
        assert.ok(profiles.has(own), `${dump.scenario}: ${dump.version} is not named`);
        named.push(profiles.size);
      }
    });
    it(`of ${mode} mode: in the median ${most} are named that write differently`, () => {
      named.sort((a, b) => a - b);
      assert.ok((named[named.length >> 1] as number) <= most, `median ${named[named.length >> 1]}`);
    });
  }
  it('of which the text of a listing ends early', () => {
    let named = 0;
    for (const dump of dumps.filter(({ mode }) => mode === 'nftables').slice(0, 120)) {
      const [file] = dump.files;
      assert.ok(file !== undefined);
      for (const share of [0.3, 0.6, 0.9]) {
        const cut = { ...file, text: file.text.slice(0, file.text.length * share) };
        const found = detectedIn('nftables', everyTool(readDumps([cut], { name: 'node' })));
        if (found === undefined) continue;
        named += 1;
        const spelling = (version: KubeVersion) => JSON.stringify(dialectOf('nftables', version).spelling);
        const own = spelling(parseKubeVersion(dump.version) as KubeVersion);
        assert.ok(found.versions.map(spelling).includes(own), `${dump.scenario}: ${dump.version}, ${share}`);
      }
    }
    assert.ok(named > 100, `${named}`);
  });
  it('without the chain of a kubelet that drops marked packets', () => {
    const drop = '-A KUBE-FIREWALL -m mark --mark 0x8000/0x8000 -j DROP';
    const without = dumps.filter(
      ({ mode, files }) =>
        mode === 'iptables' &&
        files.every(({ text }) => text.includes('*filter\n') && !/KUBE-(?:FIREWALL|KUBELET|MARK-DROP)/.test(text)),
    );
    assert.ok(without.length > 3, `${without.length} dumps`);
    for (const dump of without.slice(0, 40)) {
      const files = dump.files.map((file) => ({
        ...file,
        text: file.text
          .replace('*filter\n', '*filter\n:KUBE-FIREWALL - [0:0]\n')
          .replace(/(?<=\*filter\n[^*]*)COMMIT/, `-A INPUT -j KUBE-FIREWALL\n${drop}\nCOMMIT`),
      }));
      const own = new Set(detect({ ...dump, files }).map(formatKubeVersion));
      for (const version of detect(dump)) assert.ok(own.has(formatKubeVersion(version)), dump.scenario);
    }
  });
  it('names 1.30 for every recorded scenario of it', () => {
    let count = 0;
    for (const name of readdirSync(join(root, 'golden/recorded/services'))) {
      for (const family of ['v4', 'v6']) {
        const text = recorded(`services/${name}/iptables/iptables.${family}.save`);
        if (text === undefined) continue;
        const versions = detect({ mode: 'iptables', files: [{ name: 'node.save', text }] }).map(formatKubeVersion);
        assert.ok(versions.includes('1.30'), `${name} ${family}: ${versions.join(' ')}`);
        count += 1;
      }
    }
    assert.ok(count > 60, `${count} dumps`);
  });
});
