import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Shown, shownFiles } from '../support/healthy/askHealthy.ts';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { runCli } from '../support/runCli.ts';

/** What people paste of `iptables-save`: lines of all tables without their names, or one table. */
const parts: Readonly<Record<string, (save: string) => string>> = {
  'grep KUBE': (save) => linesWith(save, (line) => line.includes('KUBE')),
  'grep -- -A': (save) => linesWith(save, (line) => line.includes('-A ')),
  'the table filter': (save) => /^\*filter\n(?:.*\n)*?COMMIT\n/m.exec(save)?.[0] ?? '',
};

const nodes = ['calico-ipvs', 'calico-legacy', 'cilium-chained', 'k3s', 'keepalived', 'kind', 'nodelocaldns'];

function linesWith(text: string, isKept: (line: string) => boolean): string {
  return `${text.split('\n').filter(isKept).join('\n')}\n`;
}

const facts: Shown = { hasManifests: true, without: /\/(?:iptables|nft)/ };
const folder = mkdtempSync(join(tmpdir(), 'k8snet-rules-'));
after(() => rmSync(folder, { recursive: true }));

describe('a healthy node, some of whose rules are given', () => {
  for (const name of nodes) {
    const healthy = readHealthyCase(name);
    const [save = ''] = shownFiles(healthy, { hasManifests: true }).filter((file) => /\.v4\.save$/.test(file));
    for (const [what, part] of Object.entries(parts)) {
      it(`${name}: ${what}`, () => {
        const file = join(folder, `${name}-${what.replaceAll(/\W/g, '')}.txt`);
        const shown = part(readFileSync(save, 'utf8'));
        assert.match(shown, /-A .*KUBE/);
        writeFileSync(file, shown);
        const files = [file, ...shownFiles(healthy, facts)];
        const doctor = findingsOf(['doctor', ...files]);
        const news = doctor.ids.filter((id) => !healthy.expected.doctor.includes(id));
        assert.deepEqual(news, [], doctor.text);
        const diff = findingsOf(['diff', ...manifestsOf(healthy), ...files]);
        const said = diff.ids.filter((id) => !trueOfManifests.has(id) && !healthy.expected.diff.includes(id));
        assert.deepEqual(said, [], diff.text);
        assert.equal(diff.changes, 0, diff.text);
      });
    }
  }
});

describe('a healthy node whose policy of FORWARD is DROP, and whose dump ends within the table', () => {
  for (const name of ['docker-flannel', 'docker28-cni-firewall', 'ufw']) {
    it(name, () => {
      const healthy = readHealthyCase(name);
      const [save = ''] = shownFiles(healthy, { hasManifests: true }).filter((path) => /\.v4\.save$/.test(path));
      const text = readFileSync(save, 'utf8');
      assert.match(text, /^:FORWARD DROP/m);
      const [start, end] = [text.indexOf(':FORWARD DROP'), text.indexOf('COMMIT', text.indexOf(':FORWARD DROP'))];
      const file = join(folder, `${name}-early.save`);
      for (let part = 1; part <= 12; part += 1) {
        writeFileSync(file, text.slice(0, start + ((end - start) * part) / 13));
        const doctor = findingsOf(['doctor', file]);
        assert.deepEqual(doctor.ids, [], `${part}: ${doctor.text}`);
        const { stdout } = runCli(['check-service', 'shop/web', ...manifestsOf(healthy), file]);
        assert.doesNotMatch(stdout, /is broken|does not arrive/, `${part}: ${stdout}`);
      }
    });
  }
});
