import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInUml } from '../../src/lab/runInUml.ts';
import { printListing } from '../../src/netfilter/ipvs/listing.ts';
import { parseIpvs } from '../../src/netfilter/ipvs/parseIpvs.ts';
import { printIpvs } from '../../src/netfilter/ipvs/printIpvs.ts';
import { ipvsCleanupScript } from '../../src/script/ipvs/ipvsCleanup.ts';
import { type CaseResult, compileCase, compileFiles, root } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { tablesOf } from '../support/tablesOf.ts';
import { kernelTests } from './requirements.ts';

const kernelTest = kernelTests(['uml']);

/** States of all kinds, each loaded over the one before. */
const firstState = 'mixed-random-dual';
const furtherStates = [
  'ipvs-strictarp-exclude',
  'lb-source-ranges',
  'lb-source-ranges-zero',
  'externalip-shared',
  'nodeport-same-number-protocols',
  'affinity-lb-nodeport',
  'policy-both-local',
  'dualstack-lb-mixed',
  'ipvs-scheduler-lc',
  'config-masquerade-all',
  'noendpoints-all-types',
];
const states = [firstState, ...drawn(furtherStates)];

/** One case as other versions write it, each over the one before: nothing of that is left. */
const allVersions = ['1.14', '1.29', '1.16', '1.26', '1.18', '1.25', '1.18.6', '1.28', '1.20', '1.24', '1.36', '1.22'];
const versions = drawn(allVersions);

/** What must fail, and what it says. Every script is that of `realistic-kube-system`, spoilt. */
const refused: Readonly<Record<string, { readonly spoil: (script: string) => string; readonly says: RegExp }>> = {
  'bad-member': {
    spoil: (script) => script.replace(/^(add KUBE-CLUSTER-IP )[0-9.]+/m, '$110.0.0.300'),
    says: /ipset refuses the sets; nothing was changed/,
  },
  'other-type': {
    spoil: (script) => script.replace('create KUBE-IPVS-IPS hash:ip ', 'create KUBE-IPVS-IPS hash:net '),
    says: /a set of another type has the name KUBE-IPVS-IPS/,
  },
  'bad-chain': {
    spoil: (script) =>
      script.replaceAll('-A KUBE-LOAD-BALANCER -j KUBE-MARK-MASQ', '-A KUBE-LOAD-BALANCER -j KUBE-NOWHERE'),
    says: /iptables-restore refuses the rules; nothing was changed/,
  },
  // The tool's own test lets this pass, and IPv4 is loaded by then.
  'late-rules': {
    spoil: (script) => {
      const at = script.indexOf('K8SNET_FILE ip6tables.want');
      const conntrack = /^-A KUBE-FORWARD -m comment --comment "kubernetes forwarding conntrack rule".*$/gm;
      return script.slice(0, at) + script.slice(at).replace(conntrack, '-A KUBE-FORWARD -j REDIRECT');
    },
    says: /ip6tables-restore failed/,
  },
  'bad-address': {
    spoil: (script) => script.replace(/^10\.[0-9.]+\/32$/m, '10.96.0.300/32'),
    says: /cannot add addresses to kube-ipvs0/,
  },
  'bad-scheduler': {
    spoil: (script) => script.replace(/^(-A -t 10\.96\.0\.1:.*) -s rr$/m, '$1 -s nosuch'),
    says: /ipvsadm could not do: -A -t 10\.96\.0\.1:/,
  },
};

kernelTest('IPVS mode on a kernel of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-ipvs-'));
  try {
    const compiled = new Map<string, CaseResult>();
    for (const name of states) compiled.set(name, await compileCase(`services/${name}`, '--mode', 'ipvs'));
    for (const version of versions) {
      const args = ['--mode', 'ipvs', '--family', 'ipv4', '--kube-version', version];
      compiled.set(version, await compileCase('ipvs-dialects/mix-sctp-everywhere', ...args));
    }
    const traffic = [
      '--mode',
      'ipvs',
      '--node',
      'node-1',
      '--node-ip',
      '192.168.10.1',
      '--cluster-cidr',
      '10.244.0.0/16',
    ];
    for (const name of ['before', 'after']) {
      compiled.set(
        name,
        await compileFiles([join(root, `fixtures/ipvs-traffic/${name}.yaml`)], [...traffic, '--no-allocate']),
      );
    }
    const excluding = ['--ipvs-exclude-cidrs', '203.0.113.120/32,10.50.0.0/15,fd00:40::/27'];
    compiled.set('excluded', await compileCase('services/ipvs-strictarp-exclude', '--mode', 'ipvs', ...excluding));
    for (const [name, result] of compiled) writeFileSync(join(folder, `${name}.sh`), result.text('apply.sh'));
    const next = (await compileCase('services/realistic-kube-system', '--mode', 'ipvs')).text('apply.sh');
    for (const [name, { spoil }] of Object.entries(refused)) {
      assert.notEqual(spoil(next), next, name);
      writeFileSync(join(folder, `${name}.sh`), spoil(next));
    }
    writeFileSync(join(folder, 'cleanup.sh'), ipvsCleanupScript());
    writeFileSync(join(folder, 'states'), `${states.join('\n')}\n`);
    writeFileSync(join(folder, 'versions'), `${versions.join('\n')}\n`);
    writeFileSync(join(folder, 'refused'), `${Object.keys(refused).join('\n')}\n`);
    writeFileSync(join(folder, 'strange'), strange);

    const guest = join(root, 'test/kernel/ipvsScriptGuest.sh');
    const ran = await runInUml(['sh', guest, folder], { shares: [folder], timeoutSeconds: 1200 });
    assert.ok(existsSync(join(folder, 'finished')), `status ${ran.status}\n${ran.stderr}\n${ran.stdout}`);

    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    for (const name of states) checkState(name, compiled.get(name) as CaseResult, read);
    for (const [name, { says }] of Object.entries(refused)) checkRefused(name, says, read);
    checkExcluded(compiled.get('excluded') as CaseResult, read);
    checkCleanup(read);
    for (const name of ['before', 'after']) checkLoaded(name, compiled.get(name) as CaseResult, read);
    checkTraffic(read);
    for (const version of versions) checkState(version, compiled.get(version) as CaseResult, read);
    assert.doesNotMatch(read('emptied.rules.v4') + read('emptied.ipset'), /KUBE-/);
    checkStrange(read);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

type Read = (name: string) => string;

const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
const withoutRandom = (text: string) => text.replace(/ initval 0x[0-9a-f]+/g, '');
/** The kernel counts some packets of its own meanwhile. */
const withoutCounters = (text: string) =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/^\[\d+:\d+\] /gm, '')
    .replace(/ \[\d+:\d+\]$/gm, '');
/** ipvsadm never saves them. */
const isNoTimeout = (line: string) => !line.startsWith('--set ');
const ofDevice = (text: string) =>
  lines(text)
    .filter((line) => / kube-ipvs0 .* scope global/.test(line))
    .map((line) => line.split(/\s+/)[3] as string);

function checkState(name: string, result: CaseResult, read: Read): void {
  checkLoaded(`${name}.once`, result, read);
  const timeouts = /^--set (.*)$/m.exec(result.text('ipvsadm.v4.save'))?.[1];
  if (timeouts !== undefined) assert.equal(read(`${name}.once.timeouts`), `Timeout (tcp tcpfin udp): ${timeouts}\n`);
  assert.equal(read(`${name}.twice.status`), '0\n', read(`${name}.twice.stderr`));
  assert.equal(read(`${name}.changes`), '', `${name}: the second run called what can change something`);
  // Sets keep their random number: they are the same sets.
  for (const part of ['ipvs', 'ipset', 'addresses', 'rules.v4', 'rules.v6']) {
    const of = (time: string) => withoutCounters(read(`${name}.${time}.${part}`));
    assert.equal(of('twice'), of('once'), `${name}: the second run changed ${part}`);
  }
}

/** What the kernel shows is what we said it would show, files of both families together. */
function checkLoaded(place: string, result: CaseResult, read: Read): void {
  assert.equal(read(`${place}.status`), '0\n', `${place}: ${read(`${place}.stderr`)}`);
  const both = (name: string) => lines(result.text(name.replace('*', 'v4')) + result.text(name.replace('*', 'v6')));
  assert.deepEqual(lines(read(`${place}.ipvs`)), both('ipvsadm.*.save').filter(isNoTimeout), place);
  assert.deepEqual(lines(withoutRandom(read(`${place}.ipset`))), both('ipset.*.save'), place);
  assert.deepEqual(ofDevice(read(`${place}.addresses`)).sort(), both('addresses.*'), place);
  for (const family of ['v4', 'v6']) {
    const found = tablesOf(withoutCounters(read(`${place}.rules.${family}`)));
    // What is in KUBE-MARK-DROP is kubelet's work.
    const wanted = tablesOf(
      withoutCounters(result.text(`iptables.${family}.save`)).replace(/^-A KUBE-MARK-DROP .*\n/m, ''),
    );
    if (wanted.size === 0) continue;
    for (const table of ['*nat', '*filter'])
      assert.deepEqual(found.get(table), wanted.get(table), `${place} ${family} ${table}`);
  }
}

function checkRefused(name: string, says: RegExp, read: Read): void {
  assert.equal(read(`${name}.status`), '1\n', name);
  assert.match(read(`${name}.stderr`), says, name);
  assert.doesNotMatch(read(`${name}.stderr`), /cannot undo/, name);
  const state = (place: string) => ({
    ipvs: lines(read(`${place}.ipvs`)),
    // With their random numbers: the old sets themselves are back. A killed run's leftover may be gone.
    ipset: lines(read(`${place}.ipset`)).filter((line) => !line.includes(' k8snet-3 ')),
    addresses: lines(read(`${place}.addresses`)),
    rules: [withoutCounters(read(`${place}.rules.v4`)), withoutCounters(read(`${place}.rules.v6`))],
  });
  assert.deepEqual(state(name), state('last'), name);
}

function checkExcluded(result: CaseResult, read: Read): void {
  assert.equal(read('excluded.status'), '0\n', read('excluded.stderr'));
  const ours = lines(result.text('ipvsadm.v4.save') + result.text('ipvsadm.v6.save'));
  const others = lines(read('excluded.ipvs')).filter((line) => !ours.includes(line));
  assert.deepEqual(others, [
    '-A -f 7 -s rr',
    '-A -t 10.50.1.1:80 -s rr',
    '-A -t 203.0.113.120:9999 -s rr',
    '-A -u [fd00:50:8::1]:53 -s rr',
  ]);
  // The killed run's set was in nobody's way, and is gone.
  assert.doesNotMatch(read('excluded.ipset'), /k8snet-/);
}

function checkCleanup(read: Read): void {
  for (const place of ['cleanup.once', 'cleanup.twice', 'cleanup.again']) {
    assert.equal(read(`${place}.status`), '0\n', read(`${place}.stderr`));
    assert.deepEqual(
      lines(withoutRandom(read(`${place}.ipset`))).map((line) => line.split(' ')[1]),
      ['KUBE-SRC-ABC', 'MINE'],
    );
    assert.doesNotMatch(read(`${place}.rules.v4`) + read(`${place}.rules.v6`), /KUBE-/);
    assert.match(read(`${place}.rules.v4`), /^\[0:0\] -A FORWARD -j MINE$/m);
    assert.doesNotMatch(read(`${place}.addresses`), /kube-ipvs0/);
  }
  assert.deepEqual(lines(read('cleanup.once.ipvs')), [
    '-A -f 7 -s rr',
    '-A -t 192.168.10.1:5000 -s rr',
    '-A -t 198.51.100.77:80 -s rr',
  ]);
  // Another program marks packets by our chain: what masquerades them stays with it.
  assert.equal(read('cleanup.used.status'), '0\n', read('cleanup.used.stderr'));
  assert.match(read('cleanup.used.stderr'), /KUBE-MARK-MASQ stays: other programs use it/);
  assert.deepEqual(withoutCounters(read('cleanup.used.rules.v4')).match(/^.*KUBE-.*$/gm), [
    ':KUBE-MARK-MASQ -',
    ':KUBE-POSTROUTING -',
    '-A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING',
    '-A CNI-USER -j KUBE-MARK-MASQ',
    '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000',
    '-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN',
    '-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0',
    '-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully',
  ]);
}

const pods = ['10.244.1.11', '10.244.1.12', '10.244.1.13'];

function checkTraffic(read: Read): void {
  const counts = (name: string) => {
    const found: Record<string, number> = {};
    for (const answer of lines(read(`answers.${name}`))) found[answer] = (found[answer] ?? 0) + 1;
    return found;
  };
  const each = (count: number, of = pods) => Object.fromEntries(of.map((pod) => [pod, count]));
  assert.deepEqual(counts('cluster-ip'), each(10));
  assert.deepEqual(counts('node-port'), each(10));
  assert.deepEqual(counts('from-node'), each(2));
  const sticky = ['51', '52', '53'].map((host) => counts(`sticky-${host}`));
  for (const found of sticky) assert.deepEqual(Object.values(found), [6], JSON.stringify(found));
  assert.equal(new Set(sticky.flatMap((found) => Object.keys(found))).size, 3, 'three clients, three endpoints');
  assert.deepEqual(counts('empty'), { refused: 2 });
  assert.deepEqual(counts('other-port'), { refused: 2 });

  // The next state: connections to endpoints that stay go on, and nothing of a Service that stays was made anew.
  const held = [1, 2, 3].map((number) => read(`held.${number}`).trim().split('\n'));
  assert.deepEqual(held.map(([first]) => first).sort(), pods);
  for (const [first, second] of held) {
    assert.equal(second, first === '10.244.1.13' ? 'reset' : first);
  }
  const conns = (name: string) => Number(/^TCP +10\.96\.0\.10:80 +(\d+)/m.exec(read(name))?.[1]);
  assert.ok(conns('stats.before') >= 30);
  assert.ok(conns('stats.after') >= conns('stats.before'));
  assert.deepEqual(counts('cluster-ip-after'), each(5, pods.slice(0, 2)));
  assert.deepEqual(counts('new'), { '10.244.1.12': 2 });
  assert.deepEqual(counts('hairpin'), { '10.244.1.12': 2 });
  assert.ok(!Object.keys(counts('gone')).some((answer) => pods.includes(answer)));
  const random = (name: string, set: string) => new RegExp(`^create ${set} .*`, 'm').exec(read(`${name}.ipset`))?.[0];
  for (const set of ['KUBE-NODE-PORT-SCTP-HASH', 'KUBE-EXTERNAL-IP']) {
    assert.equal(random('after', set), random('before', set), `${set} was not touched`);
  }
  assert.notEqual(random('after', 'KUBE-CLUSTER-IP'), random('before', 'KUBE-CLUSTER-IP'));
}

/** All that ipvsadm can say of a service, and that kube-proxy never asks for. */
const strange = `-A -t 10.9.0.1:80 -s sh -p 300 -M 255.255.255.0 -b sh-port,sh-fallback
-A -t 10.9.0.2:80 -s mh -p 300 -b mh-port
-a -t 10.9.0.2:80 -r 10.9.1.1:8080 -m -w 3
-a -t 10.9.0.2:80 -r 10.9.1.2:80 -g
-a -t 10.9.0.2:80 -r 10.9.1.3:80 -i
-A -u 10.9.0.3:53 -s rr -o
-A -u 10.9.0.4:53 -s rr -p 60 -o
-A -t [fd00:9::1]:80 -s rr -p 300 -M 64
-A -f 3 -s wrr -p 90
-a -f 3 -r 10.9.1.1 -m
-A -f 4 -6 -s rr
-a -f 4 -6 -r [fd00:9::2]:0 -m
`;

function checkStrange(read: Read): void {
  const state = (text: string) => parseIpvs(text, (problem) => assert.fail(`${JSON.stringify(problem)} in\n${text}`));
  const saved = read('strange.ipvs');
  assert.equal([...printIpvs(state(saved))].join(''), saved);
  assert.deepEqual(lines([...printIpvs(state(strange))].join('')), lines(saved));
  assert.equal([...printListing(state(saved))].join(''), read('strange.listed'));
  assert.equal([...printIpvs(state(read('strange.listed')))].join(''), saved);
}
