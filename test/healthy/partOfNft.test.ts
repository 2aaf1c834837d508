import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { runCli } from '../support/runCli.ts';

/** What is left of `nft list ruleset` where it was cut, searched, or printed without elements. */
const parts: Readonly<Record<string, (listing: string) => string>> = {
  'the first half': (listing) => listing.slice(0, listing.length / 2),
  'the second half': (listing) => listing.slice(listing.length / 2),
  'all but the last lines': (listing) => listing.slice(0, -40),
  'nft -t': (listing) => listing.replace(/^\t\telements = \{[^}]*\}\n/gm, ''),
  'nft list maps': (listing) => {
    const [, table = ''] = /^(table ip kube-proxy \{\n(?:.*\n)*?\}\n)/m.exec(listing) ?? [];
    return `table ip kube-proxy {\n${[...table.matchAll(/^\t(?:map|set) .*\n(?:.*\n)*?\t\}\n/gm)].join('')}}\n`;
  },
  'grep shop/web': (listing) => {
    const found = listing.split('\n').filter((line) => line.includes('shop/web'));
    return `${found.join('\n')}\n`;
  },
};

const folder = mkdtempSync(join(tmpdir(), 'k8snet-nft-parts-'));
after(() => rmSync(folder, { recursive: true }));

describe('a healthy node in nftables mode, some of whose rules are given', () => {
  for (const name of ['kind-nftables', 'tailscale-nftables-mode']) {
    const healthy = readHealthyCase(name);
    const listing = readFileSync(join(healthy.folder, 'node/dumps/nft.txt'), 'utf8');
    for (const [what, part] of Object.entries(parts)) {
      const file = join(folder, `${name}-${what.replaceAll(/\W/g, '')}.txt`);
      writeFileSync(file, part(listing));
      it(`${name}: ${what}`, () => {
        const doctor = findingsOf(['doctor', file]);
        const news = doctor.ids.filter((id) => !healthy.expected.doctor.includes(id));
        assert.deepEqual(news, [], doctor.text);
        const diff = findingsOf(['diff', ...manifestsOf(healthy), file]);
        const said = diff.ids.filter((id) => !trueOfManifests.has(id) && !healthy.expected.diff.includes(id));
        assert.deepEqual(said, [], diff.text);
        assert.equal(diff.changes, 0, diff.text);
        const { stdout, stderr } = runCli(['check-service', 'shop/web', ...manifestsOf(healthy), file]);
        assert.doesNotMatch(stdout, /is broken/, stdout + stderr);
      });
    }
  }

  it('shows the version by what is left of it, where none is given', () => {
    for (const name of ['kind-nftables', 'fail2ban-nft']) {
      const { folder: node } = readHealthyCase(name);
      const listing = readFileSync(join(node, 'node/dumps/nft.txt'), 'utf8');
      const file = join(folder, 'version.txt');
      const objects = ['-f', join(node, 'manifests.yaml'), '--node', 'n1', '-q'];
      for (const share of [0.3, 0.45, 0.6, 0.75, 0.9]) {
        writeFileSync(file, listing.slice(0, listing.length * share));
        const diff = findingsOf(['diff', ...objects, file]);
        assert.deepEqual(
          diff.ids.filter((id) => !trueOfManifests.has(id)),
          [],
          `${name} ${share}: ${diff.text}`,
        );
        const { status, stdout } = runCli(['check-service', 'shop/web', ...objects, file]);
        assert.match(stdout, /^(?:Whether shop\/web is in order is unknown|shop\/web is in order, as far as)/);
        assert.doesNotMatch(stdout, /does not arrive/, `${name} ${share}`);
        assert.ok(status === 0 || status === 3, `${name} ${share}: ${status}`);
      }
    }
  });

  it('a chain that differs is still found in a listing that was cut behind it', () => {
    const healthy = readHealthyCase('kind-nftables');
    const listing = readFileSync(join(healthy.folder, 'node/dumps/nft.txt'), 'utf8');
    const file = join(folder, 'lost.txt');
    const edited = listing.replace(/^(\tchain service-\w+-shop\/web\/tcp\/http \{\n)(?:\t\t.*\n)+/m, '$1');
    assert.notEqual(edited, listing);
    writeFileSync(file, edited.slice(0, -40));
    const diff = findingsOf(['diff', ...manifestsOf(healthy), file]);
    assert.notDeepEqual(
      diff.ids.filter((id) => !trueOfManifests.has(id)),
      [],
      diff.text,
    );
  });
});
