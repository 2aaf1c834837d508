import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isPassed } from '../../src/behaviour/convert/isPassed.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { parseKubeVersion } from '../../src/dialect/version.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { checkConversion, convert } from '../../src/public/core.ts';
import { told } from '../../src/public/result.ts';
import { recordedNodes } from '../import/recordedNodes.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const recorded = (path: string) => join('golden/recorded', path);
const textOf = (path: string) => readFileSync(join(root, recorded(path)), 'utf8');
const basic = 'services/nodeport-basic/iptables/iptables.v4.save';

/** Recorded where the kernel had no xt_ipvs: what keeps the node itself out of source ranges is not in the dump. */
const withoutOutFilter =
  /^services\/(?:dualstack-lb-mixed|ipv6-only|lb-source-ranges.*|mixed-random-dual|lb-etp-local-source-ranges) ipvs$/;
const oneIn = 8;

describe('convert', () => {
  const nodes = [...recordedNodes()].filter(
    ({ name, files }) => files.length > 0 && name.startsWith('services/') && !name.includes('large-cluster'),
  );
  for (const to of ['iptables', 'ipvs', 'nftables'] as const) {
    it(`to ${to}: nothing changes but what a migration names`, async () => {
      const others = nodes.filter(({ name }) => !name.endsWith(to) && !withoutOutFilter.test(name));
      let count = 0;
      for (const [at, { name, version, files }] of others.entries()) {
        if (at % oneIn !== 0) continue;
        const dump = readDumps(files, { name });
        const said: Diagnostic[] = [];
        const kubeVersion = parseKubeVersion(version);
        const converted = await told(convert(dump, { to: { mode: to, kubeVersion }, kubeVersion }), (one) =>
          said.push(one),
        );
        assert.ok(converted, `${name}: ${said.map(({ message }) => message).join('; ')}`);
        const check = await checkConversion(converted, dump);
        const wrong = [...check.unexplained, ...check.besideOthers].map(
          ({ title, before, after, services }) => `${title}: ${before} -> ${after} (${services.join()})`,
        );
        assert.deepEqual(wrong, [], `${name} to ${to}`);
        assert.ok(isPassed(check), `${name} to ${to}`);
        count += 1;
      }
      assert.ok(count > 10, `${count} nodes`);
    });
  }

  it('from any version to another: nothing changes but what a migration names', async () => {
    const modes = ['iptables', 'ipvs', 'nftables'] as const;
    const others = [...recordedNodes()].filter(
      ({ name, files }) => files.length > 0 && !/^services\/|large-cluster/.test(name),
    );
    let count = 0;
    for (const [at, { name, files }] of others.entries()) {
      if (at % 48 !== 3) continue;
      const mode = modes[Math.floor(at / 48) % 3];
      const family = files.some((file) => file.name.includes('.v4')) ? undefined : 'ipv6';
      const dump = readDumps(files, { name, family });
      const to = { mode, kubeVersion: parseKubeVersion('1.33') };
      const converted = (await told(convert(dump, { to }), () => {})) ?? assert.fail(name);
      const { unexplained, besideOthers, open } = await checkConversion(converted, dump);
      assert.deepEqual([unexplained, besideOthers, open], [[], [], []], `${name} to ${mode}`);
      count += 1;
    }
    assert.ok(count > 30, `${count} nodes`);
  });

  it('prints the rules of the mode that is asked for, of the families that the dump shows', () => {
    const { status, stdout, stderr } = runCli(['convert', recorded(basic), '--to', 'nftables', '-o', 'json']);
    assert.equal(status, 0, stderr);
    const { artefacts, to, check } = JSON.parse(stdout);
    assert.deepEqual(
      Object.keys(artefacts).filter((name) => name.includes('v6')),
      [],
    );
    assert.ok(artefacts['nft.v4.save'].some((line: string) => line.includes('default/front')));
    assert.equal(to.mode, 'nftables');
    assert.equal(check, null);
  });

  it('gives a JSON as its schema says, with the check and without', () => {
    const schema = JSON.parse(readFileSync(join(root, 'schema/convert-output.schema.json'), 'utf8'));
    const isValid = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const more of [[], ['--check'], ['--check', '--limit', '1']]) {
      const { stdout } = runCli(['convert', recorded(basic), '--to', 'nftables', '-o', 'json', ...more]);
      assert.ok(isValid(JSON.parse(stdout)), JSON.stringify(isValid.errors));
    }
  });

  it('shows known differences with a packet each, and passes', () => {
    const { status, stdout, stderr } = runCli(['convert', recorded(basic), '--to', 'nftables', '--check']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^table ip kube-proxy/m);
    assert.match(stderr, /What the modes and versions do otherwise/);
    assert.match(stderr, /--from \S+ --to \S+ --proto tcp/);
    assert.doesNotMatch(stderr, /Not explained/);
    assert.equal(runCli(['convert', recorded(basic), '--to', 'nftables', '--check', '-q']).stderr, '');
  });

  it('writes nothing where the dump does what was not read back from it', () => {
    const edited = textOf(basic).replace(/^-A KUBE-FORWARD .*$/m, (line) => `-A KUBE-FORWARD -p tcp -j DROP\n${line}`);
    const { status, stdout, stderr } = runCli(['convert', '-', '--to', 'nftables', '--check'], { input: edited });
    assert.equal(status, 1, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /Not explained by mode or version[\s\S]*dropped, then answered/i);
  });

  it('names what fails because of rules of other programs', () => {
    const policed = textOf(basic).replace(/(\*filter\n[\s\S]*?):FORWARD ACCEPT/, '$1:FORWARD DROP');
    const { status, stderr } = runCli(['convert', '-', '--to', 'nftables', '--check'], { input: policed });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /Because of rules of other programs[\s\S]*answered, then dropped/i);
    assert.match(stderr, /relies-on-kube-proxy: .*:FORWARD DROP/);
  });

  it('writes no rules of half a dump to a node, unless that is asked for', () => {
    const half = textOf(basic).split('\n').slice(0, -12).join('\n');
    for (const form of [
      ['-o', 'restore'],
      ['-o', 'script'],
      ['--out-dir', 'nowhere'],
    ]) {
      const { status, stdout, stderr } = runCli(['convert', '-', '--to', 'nftables', ...form], { input: half });
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /error incomplete-dump: .*is cut/);
    }
    assert.match(runCli(['convert', '-', '--to', 'nftables'], { input: half }).stderr, /not-imported: .*is cut/);
    const partial = runCli(['convert', '-', '--to', 'nftables', '-o', 'restore', '--allow-partial'], { input: half });
    assert.equal(partial.status, 0, partial.stderr);
  });

  it('says that a source range of everybody was hidden', () => {
    const { stderr } = runCli(['convert', recorded('services/lb-source-ranges-zero/ipvs'), '--to', 'iptables']);
    assert.match(stderr, /warning made-up: a source range of all addresses was taken for \S+, \S+:/);
  });

  it('takes the newest version where that of the dump has no such mode', () => {
    const old = recorded('dialects/c01-nodeport/1.20/iptables.v4.save');
    const { status, stdout, stderr } = runCli(['convert', old, '--to', 'nftables']);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /warning other-version: kube-proxy 1\.\d+, which wrote the dump, has no nftables mode/);
    assert.match(stdout, /^table ip kube-proxy/m);
    const asked = runCli(['convert', old, '--to', 'nftables', '--kube-version', '1.25']);
    assert.equal(asked.status, 2);
    assert.match(asked.stderr, /mode-not-in-version/);
  });

  it('knows endpoints of the node by the range of its Pods, or says what IPVS mode lacks without', () => {
    const args = ['convert', recorded(basic), '--to', 'ipvs'];
    const without = runCli(args);
    assert.doesNotMatch(without.stdout, /^add KUBE-LOOP-BACK/m);
    assert.match(without.stderr, /warning not-in-dump: no rule tells which node 6 endpoints are on: IPVS mode/);
    const { stdout, stderr } = runCli([...args, '--pod-cidr', '10.244.1.0/24']);
    assert.deepEqual(stdout.match(/^add KUBE-LOOP-BACK .*$/gm), [
      'add KUBE-LOOP-BACK 10.244.1.100,tcp:8080,10.244.1.100',
      'add KUBE-LOOP-BACK 10.244.1.100,tcp:8443,10.244.1.100',
    ]);
    assert.doesNotMatch(stderr, /which node/);
  });

  it('says that policies stay as they are', () => {
    const policies = `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-NWPLCY-DSSA3UNNTDLIJHXP - [0:0]
-A KUBE-NWPLCY-DSSA3UNNTDLIJHXP -p tcp -m comment --comment "shop/web-only ingress any" -m tcp --dport 80 -j RETURN
COMMIT
`;
    const text = `${textOf(basic).replace(/\*filter[\s\S]*?COMMIT\n/, '')}${policies}`;
    const { stderr } = runCli(['convert', '-', '--to', 'nftables'], { input: text });
    assert.match(stderr, /warning policies-kept: .*kube-router's layout, shop\/web-only/);
    assert.match(stderr, /note foreign-rules: 1 rule of other programs is not converted/);
  });

  it('says of what is loaded that the old rules stay', () => {
    const said = (...args: readonly string[]) => runCli(['convert', recorded(basic), ...args]).stderr;
    assert.match(
      said('--to', 'nftables', '-o', 'script'),
      /warning old-rules-stay: .*iptables mode.*\n {2}hint: k8snet cleanup --mode iptables prints a script that does\n/,
    );
    assert.match(said('--to', 'ipvs', '-o', 'restore'), /run it first, as both modes have chains of the same names/);
    assert.doesNotMatch(said('--to', 'nftables'), /old-rules-stay/);
    assert.doesNotMatch(said('--kube-version', '1.30', '-o', 'script'), /old-rules-stay/);
  });

  it('refuses what cannot be meant', () => {
    for (const [args, said] of [
      [[recorded(basic)], /say what to convert to/],
      [[recorded(basic), '--to', 'iptables', '-o', 'ipvsadm-list'], /no virtual servers/],
      [[recorded(basic), '--to', 'nftables', '--limit', '2'], /--limit is for/],
      [['-', '--to', 'nftables'], /not-a-dump/],
    ] as const) {
      const { status, stdout, stderr } = runCli(['convert', ...args], { input: 'hello\n' });
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, said);
    }
  });
});
