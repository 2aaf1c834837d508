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

/** The sets as `ipset list` prints them, or `ipset list -t`. */
function listed(save: string, isTerse: boolean): string {
  const lines = save.trimEnd().split('\n');
  return lines
    .filter((line) => line.startsWith('create '))
    .map((line) => {
      const [, name = '', type = '', ...options] = line.split(' ');
      const members = lines
        .filter((one) => one.startsWith(`add ${name} `))
        .map((one) => one.split(' ').slice(2).join(' '));
      const head = [`Name: ${name}`, `Type: ${type}`, 'Revision: 6', `Header: ${options.join(' ')}`, 'References: 1'];
      const shown = isTerse ? [] : ['Members:', ...members];
      return `${[...head, `Number of entries: ${members.length}`, ...shown].join('\n')}\n`;
    })
    .join('\n');
}

describe('sets whose members are not all shown', () => {
  const healthy = readHealthyCase('calico-ipvs');
  const others = shownFiles(healthy, { hasManifests: true, without: /\/ipset/ });
  const save = readFileSync(join(healthy.folder, 'node/dumps/ipset.save'), 'utf8');
  const upTo = (text: string, line: RegExp) => text.slice(0, text.search(line));
  const shown: Readonly<Record<string, string>> = {
    'all, listed': listed(save, false),
    'a terse list': listed(save, true),
    'a list that ends in the middle of a set': upTo(listed(save, false), /^10\.96\.1\.20,tcp:443$/m),
    'a save that ends in the middle of a set': upTo(save, /^add KUBE-CLUSTER-IP 10\.96\.1\.20,tcp:443$/m),
    'a save that ends in the middle of the last set of IPv4': upTo(save, /^add KUBE-IPVS-IPS 10\.96\.1\.20$/m),
    'a save that ends between two sets': upTo(save, /^create KUBE-NODE-PORT-LOCAL-TCP /m),
  };
  for (const [what, text] of Object.entries(shown)) {
    const file = join(folder, `${what.replaceAll(/\W+/g, '-')}.txt`);
    writeFileSync(file, text);

    it(`${what}: no alarm`, () => {
      const doctor = findingsOf(['doctor', ...others, file]);
      assert.deepEqual(doctor.ids, healthy.expected.doctor, doctor.text);
      const diff = findingsOf(['diff', ...manifestsOf(healthy), ...others, file]);
      assert.deepEqual(
        diff.ids.filter((id) => !trueOfManifests.has(id)),
        healthy.expected.diff,
        diff.text,
      );
      assert.equal(diff.changes, 0, diff.text);
    });

    it(`${what}: a set that is shown is compared`, () => {
      const lost = /^(?:add KUBE-LOOP-BACK )?10\.244\.1\.13,tcp:53,10\.244\.1\.13\n/m;
      if (!lost.test(text)) return assert.equal(what, 'a terse list');
      const counted = text
        .replace(lost, '')
        .replace(/(?<=^Name: KUBE-LOOP-BACK\n(?:.*\n){4}Number of entries: )6$/m, '5');
      const changed = join(folder, 'lacks.txt');
      writeFileSync(changed, counted);
      const { stdout } = runCli(['diff', ...manifestsOf(healthy), ...others, changed]);
      assert.match(stdout, /K8N702 the set KUBE-LOOP-BACK lacks 10\.244\.1\.13,tcp:53,10\.244\.1\.13$/m);
    });
  }

  it('what was left out is said, and a packet that needs it has no answer', () => {
    const asked = (what: string) => {
      const file = join(folder, `${what.replaceAll(/\W+/g, '-')}.txt`);
      return runCli(['why', '--from', '10.244.1.12', '--to', '10.96.1.10:80', ...others, file]);
    };
    assert.equal(asked('all, listed').status, 0);
    const terse = asked('a terse list');
    assert.equal(terse.status, 3, terse.stdout);
    assert.match(terse.stderr, /does not show all members of KUBE-LOOP-BACK, .* more: give what ipset save prints/);
    const cut = asked('a save that ends in the middle of a set');
    assert.equal(cut.status, 3, cut.stdout);
    assert.match(cut.stderr, /lacks sets that rules match, so KUBE-CLUSTER-IP, the last in it, may hold more/);
  });

  it('check-service says the reason once, and leaves open what no packet shows', () => {
    const asked = (what: string) => {
      const file = join(folder, `${what.replaceAll(/\W+/g, '-')}.txt`);
      return runCli(['check-service', 'shop/api', ...manifestsOf(healthy), ...others, file]);
    };
    const terse = asked('a terse list');
    assert.equal(terse.status, 3, terse.stdout);
    assert.match(terse.stdout, /^Whether shop\/api is in order is unknown\.$/m);
    assert.match(terse.stdout, /rules of ipvs mode: as they should be, as far as they are shown$/m);
    assert.equal(terse.stdout.split('The rules ask for the set').length, 2, terse.stdout);
    assert.match(terse.stdout, /\d packets \(from .*, from .* and \d more\): The rules ask for the set/);
    assert.equal(asked('all, listed').status, 0);
  });

  it('a trace that parts at many of them is short, but for -v', () => {
    const asked = [
      'trace',
      '--from',
      '10.244.1.12',
      '--to',
      '10.96.1.10:80',
      ...others,
      join(folder, 'a-terse-list.txt'),
    ];
    const linesOf = (words: readonly string[]) => runCli(words).stdout.trimEnd().split('\n');
    const [short, all] = [linesOf(asked), linesOf([...asked, '-v'])];
    assert.ok(all.length > 500, `${all.length}`);
    assert.ok(short.length < 100, `${short.length}`);
    const [, left] = /… (\d+) more lines/.exec(short.join('\n')) ?? [];
    assert.ok(Number(left) > 400);
    assert.ok(short.some((line) => line.startsWith('unknown: the set KUBE-CLUSTER-IP was not given')));
  });

  it('they are not converted without being asked for', () => {
    for (const what of Object.keys(shown).slice(1)) {
      const file = join(folder, `${what.replaceAll(/\W+/g, '-')}.txt`);
      const { status, stderr } = runCli(['convert', '--to', 'iptables', '-o', 'script', ...others, file]);
      assert.equal(status, 2, what);
      assert.match(stderr, /incomplete-dump/, what);
    }
  });
});
