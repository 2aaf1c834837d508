import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Ajv } from 'ajv';
import { missingNeeds } from '../../src/lab/missingNeeds.ts';
import { root } from '../support/compileCase.ts';
import { cliCommand, runProcess as runCli } from '../support/runCli.ts';
import { kernelTests } from './requirements.ts';

/** `k8snet lab` as people call it. */
const shop = ['-f', 'fixtures/lab/shop.yaml', '--kube-version', '1.33'];
const schema = JSON.parse(readFileSync(join(root, 'schema/lab-output.schema.json'), 'utf8'));
const isLab = new Ajv({ allowUnionTypes: true }).compile(schema);

interface Answer {
  readonly agrees: boolean;
  readonly probes: readonly Probed[];
}

const iptablesTest = kernelTests(['iptables', 'ipset']);
const bridgedTest = kernelTests(['nft', 'bridge-netfilter']);
const anyTest = kernelTests(['iptables']);

iptablesTest('every Node gets its rules and policies, and the walk from node to node agrees with the kernel', () => {
  const ask = (...further: readonly string[]) => runCli(['lab', ...shop, '--compare', '-o', 'json', ...further]);
  let { status, stdout, stderr } = ask();
  // On a busy machine answers are late: whoever waits for longer must agree.
  if (status !== 0) ({ status, stdout, stderr } = ask('--timeout', '5'));
  assert.equal(status, 0, stderr + stdout);
  const answer = JSON.parse(stdout) as Answer;
  assert.ok(isLab(answer), JSON.stringify(isLab.errors));
  const { agrees, probes } = answer as Answer;
  assert.equal(agrees, true);
  assert.equal(probes.length, 33);
  const of = (name: string, address: string) =>
    probes
      .filter(({ from, to }) => from.name === name && to.address === address)
      .flatMap(({ outcomes }) => outcomes.map(({ kind, server, source }) => (server ? `${server} ${source}` : kind)))
      .sort();
  // A range lets its own host in, masqueraded, and nobody else.
  const masqueraded = ['10.244.1.7:8080 10.244.1.1', '10.244.2.7:8080 192.168.10.1'];
  assert.deepEqual(of('outside/203.0.113.0/24', '198.18.0.1'), masqueraded);
  assert.deepEqual(of('outside', '198.18.0.1'), ['timeout']);
});

interface Probed {
  readonly from: { readonly name: string };
  readonly to: { readonly address: string };
  readonly outcomes: readonly { readonly kind: string; readonly server?: string; readonly source?: string }[];
}

bridgedTest('bridged Pods in nftables mode, and the probes that are asked for', () => {
  const asked = [
    '--probe',
    'shop/web-1',
    'shop/web',
    '198.18.0.1:80',
    '--probe',
    'node/n2',
    'node:30081',
    '10.244.1.7/icmp',
  ];
  const run = runCli([
    'lab',
    ...shop,
    '--node',
    'n1',
    '--mode',
    'nftables',
    '--pods',
    'bridged',
    '--policy',
    'off',
    ...asked,
  ]);
  assert.equal(run.status, 0, run.stderr);
  const lines = run.stdout.split('\n').map((line) => line.replace(/ \d+×/g, ''));
  assert.deepEqual(
    lines.filter((line) => !line.includes('answered by shop')),
    [
      '10.96.0.10:80/tcp  shop/web:http, cluster IP',
      '',
      '198.18.0.1:80/tcp',
      '  shop/web-1  no answer',
      '',
      '192.168.10.1:30081/tcp',
      '  node/n2     refused',
      '',
      '10.244.1.7/icmp',
      '  node/n2     answered by echo',
      '',
      '4 probes',
      '',
    ],
  );
  assert.match(run.stdout, /shop\/web-1 \(10\.244\.1\.7:8080\), sees 10\.244\.1\.1/);
});

anyTest('the rules, links and settings of where it runs stay as they are', () => {
  // Scripts of other tests keep their locks in the machine's /run meanwhile: it has one of its own, with the folder of mount.
  const state =
    'iptables-save; ip6tables-save; ip -o link; ip addr; ip route show table all; ip neigh; sysctl -a 2>&1 | grep "^net.*\\(forward\\|rp_filter\\|localnet\\|bridge\\)"; mount; ls -A /run; ls -A "$TMPDIR" | grep -v tsx';
  const lab = [...cliCommand, 'lab', ...shop];
  const quoted = [...lab, '--node', 'n1', '--probe', 'pod', 'shop/web'].map((word) => `'${word}'`).join(' ');
  const script = `state() { ${state}; }; before=$(state); ${quoted} >&2; after=$(state); [ "$before" = "$after" ] || { echo "$before"; echo "$after"; exit 9; }`;
  const run = spawnSync(
    'unshare',
    [
      '--net',
      '--mount',
      'sh',
      '-c',
      `ip link set lo up; mount -t tmpfs own /run; mkdir /run/mount; TMPDIR=$(mktemp -d); export TMPDIR; trap 'rm -rf "$TMPDIR"' EXIT; ${script}`,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    },
  );
  assert.equal(run.status, 0, run.stdout + run.stderr);
  assert.match(run.stderr, /answered by/);
});

for (const signal of ['SIGINT', 'SIGKILL'] as const) {
  anyTest(`nothing is left of a lab that ${signal} ends`, async () => {
    const words = ['--node', 'n1', '--probe', 'outside', '10.96.0.10:81', '--timeout', '60', '-v'];
    const [node = '', ...command] = cliCommand;
    const lab = spawn(node, [...command, 'lab', ...shop, ...words], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    lab.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    for (let left = 1200; left > 0 && !said.includes('rules loaded'); left -= 1) await setTimeout(50);
    // Forks of one process.
    const agents = childrenOf(lab.pid ?? 0).flatMap(childrenOf);
    assert.ok(agents.length >= 5, said);
    lab.kill(signal);
    await once(lab, 'exit');
    for (let left = 1500; left > 0 && agents.some((pid) => existsSync(`/proc/${pid}/ns/net`)); left -= 1)
      await setTimeout(20);
    assert.deepEqual(
      agents.filter((pid) => existsSync(`/proc/${pid}/ns/net`)),
      [],
    );
  });
}

function childrenOf(parent: string | number): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
      );
    } catch {
      return false;
    }
  });
}

test('who is not root is told so', {
  skip: process.getuid?.() === 0 ? false : 'only root can be somebody else',
}, () => {
  const command = [...cliCommand, 'lab', ...shop, '--node', 'n1'];
  // In a user namespace that nobody is mapped into, root is nobody.
  const run = spawnSync('unshare', ['--user', '--', ...command], { cwd: root, encoding: 'utf8' });
  assert.equal(run.status, 2);
  assert.match(
    run.stderr,
    /^error lab-impossible: k8snet lab needs root: it makes network namespaces\n {2}hint: sudo k8snet lab …, or unshare/m,
  );
});

const hasIpvs = process.getuid?.() !== 0 || missingNeeds(['ipvs']).length === 0;
test('a kernel without IPVS is said to have none', {
  skip: hasIpvs && 'this kernel has IPVS, or nobody may ask it',
}, () => {
  // As in a guest, which starts no other one.
  const run = runCli(['lab', ...shop, '--node', 'n1', '--mode', 'ipvs'], { environment: { K8SNET_LAB_GUEST: '1' } });
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^error lab-impossible: this machine lacks ipvsadm, or a kernel with ip_vs/m);
});
