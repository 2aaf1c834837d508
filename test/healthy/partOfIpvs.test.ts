import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Shown, shownFiles } from '../support/healthy/askHealthy.ts';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { findingsOf, manifestsOf, trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { runCli } from '../support/runCli.ts';

/**
 * Rules of IPVS mode with what people give beside them: nothing of ipvsadm, one virtual server, one set. That the others
 * were not printed does not mean that the node lacks them.
 */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-ipvs-parts-'));
after(() => rmSync(folder, { recursive: true }));

/** Lines of the listing that belong to the part; undefined: nothing of it is given. */
interface Part {
  readonly of: 'ipset.save' | 'ipvsadm.save';
  readonly lines: ((line: string) => boolean) | undefined;
}

const parts: Readonly<Record<string, Part>> = {
  'no virtual server': { of: 'ipvsadm.save', lines: undefined },
  'the virtual servers of the DNS': { of: 'ipvsadm.save', lines: (line) => / 10\.96\.0\.10:53 /.test(line) },
  'the virtual server of one port': { of: 'ipvsadm.save', lines: (line) => / 10\.96\.1\.10:80 /.test(line) },
  'the set of cluster IPs': { of: 'ipset.save', lines: (line) => / KUBE-CLUSTER-IP\b/.test(line) },
  'the set of node ports': { of: 'ipset.save', lines: (line) => / KUBE-NODE-PORT-TCP\b/.test(line) },
};

it('one set of another program says nothing about those of kube-proxy', () => {
  const healthy = readHealthyCase('calico-ipvs');
  const sets = readFileSync(join(healthy.folder, 'node/dumps/ipset.save'), 'utf8').split('\n');
  const file = join(folder, 'one.save');
  writeFileSync(file, `${sets.filter((line) => / cali40this-host\b/.test(line)).join('\n')}\n`);
  const diff = findingsOf(['diff', ...manifestsOf(healthy), file]);
  assert.deepEqual(
    diff.ids.filter((id) => !trueOfManifests.has(id)),
    [],
    diff.text,
  );
  assert.equal(diff.same, 0);
});

describe('a healthy node in IPVS mode, of which a part is given', () => {
  for (const name of ['calico-ipvs', 'nodelocaldns-ipvs']) {
    const healthy = readHealthyCase(name);
    for (const [what, { of, lines }] of Object.entries(parts)) {
      const others: Shown = { hasManifests: true, without: new RegExp(`/${of.replace('.', '\\.')}$`) };
      const files = [...shownFiles(healthy, others)];
      if (lines !== undefined) {
        const whole = readFileSync(join(healthy.folder, 'node/dumps', of), 'utf8').split('\n');
        const file = join(folder, `${name}-${what.replaceAll(' ', '-')}-${of}`);
        const shown = whole.filter(lines);
        assert.ok(shown.length > 0);
        writeFileSync(file, `${shown.join('\n')}\n`);
        files.push(file);
      }
      it(`${name}, ${what}: no alarm`, () => {
        const doctor = findingsOf(['doctor', ...files]);
        assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
        const diff = findingsOf(['diff', ...manifestsOf(healthy), ...files]);
        const said = diff.ids.filter((id) => !trueOfManifests.has(id));
        assert.deepEqual(said, healthy.expected.diff, diff.text);
        assert.equal(diff.changes, 0, diff.text);
      });

      it(`${name}, ${what}: nothing is said to be broken`, () => {
        const asked = ['check-service', 'shop/db', ...manifestsOf(healthy), ...files];
        const { stdout, stderr } = runCli(asked);
        assert.doesNotMatch(stdout, /is broken/, stdout + stderr);
      });
    }
  }
});

it('a packet to a Service whose virtual server is not shown: what was not given is asked for', () => {
  const healthy = readHealthyCase('calico-ipvs');
  const files = shownFiles(healthy, { hasManifests: true, without: /\/ipvsadm/ });
  const asked = ['why', '--from', '10.244.1.12', '--to', '10.96.1.10:80'];
  for (const more of [[], manifestsOf(healthy)]) {
    const { status, stdout, stderr } = runCli([...asked, ...files, ...more]);
    assert.equal(status, 3, stdout + stderr);
    assert.match(stdout, /^The packet goes to IPVS, and its virtual servers were not given: .* unknown\.$/m);
    assert.match(stdout, /`ipvsadm -Sn`/);
  }
});

it('a part is not converted without being asked for', () => {
  const healthy = readHealthyCase('calico-ipvs');
  for (const [what, { of, lines }] of Object.entries(parts)) {
    const others: Shown = { hasManifests: true, without: new RegExp(`/${of.replace('.', '\\.')}$`) };
    const file = join(folder, `calico-ipvs-${what.replaceAll(' ', '-')}-${of}`);
    const files = [...shownFiles(healthy, others), ...(lines === undefined ? [] : [file])];
    const { status, stderr } = runCli(['convert', '--to', 'iptables', '-o', 'script', ...files]);
    assert.equal(status, 2, what);
    assert.match(stderr, /incomplete-dump/, what);
  }
});

it('a lost virtual server is still found where all others are shown', () => {
  const healthy = readHealthyCase('calico-ipvs');
  const files = shownFiles(healthy, { hasManifests: true, without: /\/ipvsadm/ });
  const listing = readFileSync(join(healthy.folder, 'node/dumps/ipvsadm.save'), 'utf8');
  const file = join(folder, 'lost-ipvsadm.save');
  writeFileSync(file, listing.replace(/^-[Aa] -t 10\.96\.1\.10:80 .*\n/gm, ''));
  const { stdout } = runCli(['diff', ...manifestsOf(healthy), ...files, file]);
  assert.match(stdout, /K8N201 no virtual server for 10\.96\.1\.10:80\/tcp/);
});
