import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Shown, shownFiles } from '../support/healthy/askHealthy.ts';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';

/**
 * `ip addr show eth0`, or `ip -4 addr`: what the listing leaves out is not missing on the node. These nodes have an
 * interface on which something depends, kube-ipvs0 or that of NodeLocal DNSCache.
 */
const nodes = ['calico-ipvs', 'docker-ipvs', 'nodelocaldns', 'nodelocaldns-ipvs'];

const parts: Readonly<Record<string, (listing: string) => string>> = {
  'eth0 alone': (listing) => /^\d+: eth0\b.*\n(?: .*\n)+/m.exec(listing)?.[0] ?? '',
  'IPv4 alone': (listing) => listing.replace(/^ {4}inet6.*\n(?: {7}.*\n)?/gm, ''),
  'eth0 and IPv4 alone': (listing) =>
    /^\d+: eth0\b.*\n(?: .*\n)+/m.exec(listing)?.[0]?.replace(/^ {4}inet6.*\n(?: {7}.*\n)?/gm, '') ?? '',
};

const others: Shown = { hasManifests: true, without: /\/(?:addresses|routes)/ };
const folder = mkdtempSync(join(tmpdir(), 'k8snet-interfaces-'));
after(() => rmSync(folder, { recursive: true }));

describe('a healthy node, some of whose interfaces are given', () => {
  for (const name of nodes) {
    const healthy = readHealthyCase(name);
    const listing = readFileSync(join(healthy.folder, 'node/dumps/addresses.txt'), 'utf8');
    for (const [what, part] of Object.entries(parts)) {
      it(`${name}, ${what}`, () => {
        const file = join(folder, `${name}-${what.replaceAll(' ', '-')}.txt`);
        const shown = part(listing);
        assert.match(shown, / {4}inet /);
        writeFileSync(file, shown);
        const files = [...shownFiles(healthy, others), file];
        const doctor = findingsOf(['doctor', ...files]);
        assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
        const diff = findingsOf(['diff', ...manifestsOf(healthy), ...files]);
        const said = diff.ids.filter((id) => !trueOfManifests.has(id));
        assert.deepEqual(said, healthy.expected.diff, diff.text);
      });
    }
  }
});
