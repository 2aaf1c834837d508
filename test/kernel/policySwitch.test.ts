import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyLayout } from '../../src/emit/policy/iptables/netpolNames.ts';
import { type Lab, machine, openLab } from '../../src/lab/openLab.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import { tryIn } from '../../src/lab/runIn.ts';
import { scriptsWith } from '../policy/applyScripts.ts';
import { policyState } from '../policy/policyState.ts';
import { drawn } from '../support/drawn.ts';
import { kernelTests } from './requirements.ts';
import { policyLayouts, switchPolicies } from './switchPolicies.ts';

/** Between two rule sets that differ in all their sets: what passes meanwhile, when runs are cut off, and when two meet. */
const backends = [
  { tool: 'nft', test: kernelTests(['iptables-nft', 'ipset']) },
  { tool: 'legacy', test: kernelTests(['iptables-legacy', 'ipset']) },
] as const;

// A allows a on port 80 and B allows b on port 81; neither allows b on port 80.
const [fileA, fileB] = ['A', 'B'].map((name) => `fixtures/policy-scripts/swap-${name}.yaml`) as [string, string];
const [server, a, b] = ['10.1.0.9', '10.1.0.10', '10.1.0.11'];

for (const { tool, test } of backends) {
  for (const layout of ['strict', 'kube-router'] as const) {
    test(`a run that is killed at any step leaves one whole rule set (${tool}, ${layout})`, async () => {
      await withNode(tool, async ({ lab, run }) => {
        const scripts = [await policyScript(fileA, layout), await policyScript(fileB, layout)];
        await run(scripts[0] ?? '');
        let steps = 0;
        // Each step is killed in one way, or one after another in all of them.
        const rounds = drawn([0, 1, 2], 3);
        for (const round of rounds) {
          for (let step = 1, isOver = false; !isOver; step += 1) {
            const how = ['before', 'half', 'after'][(round + step) % 3] ?? '';
            const ended = await run(scripts[step % 2] ?? '', { KILL_AT: String(step), KILL_HOW: how });
            isOver = ended.status === 0;
            steps += isOver ? 0 : 1;
            const state = await reached(lab, ['a80', 'b81']);
            assert.ok(state === 'a80' || state === 'b81', `killed ${how} step ${step}: ${state}`);
          }
        }
        assert.ok(steps > 5 * rounds.length, `${steps} steps`);
        for (const [at, wanted] of ['a80', 'b81'].entries()) {
          assert.equal((await run(scripts[at] ?? '')).status, 0);
          assert.equal(await reached(lab, [wanted]), wanted);
          assert.doesNotMatch(await policyState(machine(lab, 'node-1')), /k8snet-np/);
        }
      });
    });
  }

  test(`while rule sets change, nothing passes that both deny (${tool})`, async () => {
    await withNode(tool, async ({ lab, run }) => {
      const scripts = [await policyScript(fileA), await policyScript(fileB)];
      await run(scripts[0] ?? '');
      let isDone = false;
      let answered = 0;
      let probes = 0;
      const knocking = (async () => {
        while (!isDone) {
          const knock = { from: 'b', to: server ?? '', port: 80, timeoutMs: 20, count: 20 };
          const [outcomes = []] = await runProbes(lab, [knock]);
          probes += outcomes.length;
          answered += outcomes.filter(({ kind }) => kind === 'answered').length;
        }
      })();
      for (let times = 1; times <= 20; times += 1) assert.equal((await run(scripts[times % 2] ?? '')).status, 0);
      isDone = true;
      await knocking;
      assert.ok(probes > 100, `${probes} probes`);
      assert.equal(answered, 0);
    });
  });

  for (const hasFlock of [true, false]) {
    const how = `${tool}, ${hasFlock ? 'flock' : 'no flock'}`;
    test(`two scripts at once end in the state of one of them (${how})`, async () => {
      await withNode(tool, async ({ lab, run }) => {
        // Four scripts wait for each other; a busy machine is slow.
        const options = { K8SNET_LOCK_SECONDS: '600', ...(!hasFlock && { NO_FLOCK: '1' }) };
        assert.equal((await run('command -v flock', options)).status === 0, hasFlock);
        const node = machine(lab, 'node-1');
        for (const scripts of [
          [await policyScript(fileA), await policyScript(fileB)],
          [await applyScript(fileA), await applyScript(fileB)],
        ]) {
          const whole = [];
          for (const script of scripts) {
            assert.equal((await run(script, options)).status, 0);
            whole.push(await policyState(node));
          }
          for (const _ of drawn([1, 2])) {
            const ended = await Promise.all([...scripts, ...scripts].map((script) => run(script, options)));
            for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
            assert.ok(whole.includes(await policyState(node)));
          }
        }
      });
    });

    test(`a script waits for another, gives up in time, and a dead one is no obstacle (${how})`, async () => {
      await withNode(tool, async ({ lab, run }) => {
        const options = hasFlock ? {} : { NO_FLOCK: '1' };
        const [scriptA, scriptB] = [await policyScript(fileA), await policyScript(fileB)];
        assert.equal((await run(scriptA, options)).status, 0);
        const held = heldFile(lab);
        writeFileSync(held, '');
        const slow = run(scriptB, { ...options, HELD: held });
        const lock = lockOf(lab);
        while (!existsSync(lock) && !existsSync(`${lock}.d`)) await new Promise((resolve) => setTimeout(resolve, 50));
        const impatient = await run(scriptA, { ...options, K8SNET_LOCK_SECONDS: '1' });
        assert.equal(impatient.status, 1);
        assert.match(impatient.stderr, /another script of k8snet runs on this node and holds .*nothing was changed/);
        const patient = run(scriptA, options);
        rmSync(held);
        assert.equal((await slow).status, 0);
        assert.equal((await patient).status, 0);
        assert.equal(await reached(lab, ['a80']), 'a80');
        assert.notEqual((await run(scriptB, { ...options, KILL_AT: '3', KILL_HOW: 'before' })).status, 0);
        assert.equal((await run(scriptB, { ...options, K8SNET_LOCK_SECONDS: '5' })).status, 0);
      });
    });
  }

  test(`a set that cannot be destroyed ends the script with status 1, with the new rules (${tool})`, async () => {
    await withNode(tool, async ({ lab, run }) => {
      await run(await policyScript(fileA));
      const [, set = ''] = /^create (KUBE-SRC-\S+)/m.exec(await policyState(machine(lab, 'node-1'))) ?? [];
      await run(`iptables -w 5 -N OTHER && iptables -w 5 -A OTHER -m set --match-set ${set} src`);
      const { status, stderr } = await run(await policyScript(fileB));
      assert.equal(status, 1, stderr);
      assert.match(stderr, /the policies are loaded/);
      assert.match(stderr, new RegExp(`the set ${set} is no longer needed and cannot be destroyed`));
      assert.equal(await reached(lab, ['b81']), 'b81');
    });
  });

  test(`equal members of kube-router's sets are added once (${tool})`, async () => {
    await withNode(tool, async ({ lab, run }) => {
      const files = ['fixtures/policy-scripts/kube-router-duplicate-block.yaml', ...duplicates(lab)];
      for (const file of files) {
        const { policy } = await scriptsWith(
          { isPolicyOnly: true, policy: { backend: 'iptables', layout: 'kube-router', node: 'n1' } },
          [file],
          ...['--node', 'n1'],
        );
        const { status, stderr } = await run(policy);
        assert.equal(status, 0, stderr);
      }
      const { texts } = await scriptsWith(
        { isPolicyOnly: true, policy: { backend: 'iptables', layout: 'kube-router', node: 'n1' } },
        [files[1] ?? ''],
        ...['--node', 'n1'],
      );
      // Of a block and an exception that are equal, the later one holds.
      assert.match(texts.get('policy.v4.ipset') ?? '', /^add KUBE-SRC-\S+ 10\.7\.0\.0\/16 timeout 0 nomatch$/m);
    });
  });
}

for (const layout of policyLayouts) {
  const test = kernelTests(layout === 'nftables' ? ['nft'] : ['nft', 'iptables-nft', 'ipset']);
  test(`while loads replace each other and some are killed, no SYN passes that both rule sets deny (${layout})`, async () => {
    const { probes, passed, controls, runs, killed } = await switchPolicies(layout, {
      probes: 20_000,
      runs: 6,
      seconds: 120,
    });
    assert.equal(passed, 0, `${passed} of ${probes}`);
    assert.equal(controls, 1000);
    assert.ok(probes > 1000 && runs >= 6 && killed > 0, `${probes} probes, ${runs} runs, ${killed} killed`);
  });
}

/** Blocks that are equal once they are masked, exceptions that are given twice, and everything with a half of it. */
function duplicates(lab: Lab): readonly string[] {
  const folder = folders.get(lab) ?? assert.fail();
  return [
    '{cidr: 10.7.1.9/16, except: [10.7.1.0/24, 10.7.1.0/24]}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.7.0.0/16]}',
    '{cidr: 0.0.0.0/0}}, {ipBlock: {cidr: 128.0.0.0/1}}, {ipBlock: {cidr: "::/0"}}, {ipBlock: {cidr: "fd00::/8"}',
  ].map((blocks, at) => {
    const file = join(folder, `${at}.yaml`);
    const pod =
      '{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}, status: {podIP: 10.1.0.9, podIPs: [{ip: 10.1.0.9}, {ip: "fd00:1::9"}], phase: Running}}';
    const policy = `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x, namespace: a}, spec: {podSelector: {}, ingress: [{from: [{ipBlock: ${blocks}}]}]}}`;
    writeFileSync(file, `${pod}\n---\n${policy}\n`);
    return file;
  });
}

async function policyScript(file: string, layout: PolicyLayout = 'strict'): Promise<string> {
  const policy = { backend: undefined, node: 'node-1', layout };
  return (await scriptsWith({ isPolicyOnly: true, policy }, [file], '--node', 'node-1')).policy;
}

/** With kube-proxy's rules: two scripts in one. */
async function applyScript(file: string): Promise<string> {
  const services = 'fixtures/services/clusterip-single/manifests.yaml';
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-switch-'));
  try {
    const documents = readFileSync(services, 'utf8').split(/^---$/m);
    const copy = join(folder, 'services.yaml');
    writeFileSync(copy, documents.filter((document) => !/^kind: Node$/m.test(document)).join('---'));
    return (await scriptsWith({}, [file, copy], '--node', 'node-1', '--no-allocate')).apply;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Which connections are answered. What is none of the wanted is asked for once more: a busy machine answers late. */
async function reached(lab: Lab, wanted: readonly string[]): Promise<string> {
  const soon = await answered(lab, 300);
  return wanted.includes(soon) ? soon : answered(lab, 8000);
}

async function answered(lab: Lab, timeoutMs: number): Promise<string> {
  const asked = [
    { name: 'a80', from: 'a', port: 80 },
    { name: 'b80', from: 'b', port: 80 },
    { name: 'b81', from: 'b', port: 81 },
  ];
  const outcomes = await runProbes(
    lab,
    asked.map(({ from, port }) => ({ from, port, to: server ?? '', timeoutMs })),
  );
  return asked
    .filter((_, at) => outcomes[at]?.[0]?.kind === 'answered')
    .map(({ name }) => name)
    .join();
}

type Run = (script: string, environment?: Readonly<Record<string, string>>) => ReturnType<typeof tryIn>;

const folders = new WeakMap<Lab, string>();

async function withNode(
  tool: 'nft' | 'legacy',
  use: (node: { readonly lab: Lab; readonly run: Run }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-tools-'));
  const pod = (name: string, address: string | undefined) => ({ name, node: 'node-1', addresses: [address ?? ''] });
  const servers = [80, 81].map((port) => ({ protocol: 'tcp' as const, port }));
  const lab = await openLab({
    nodes: [{ name: 'node-1', addresses: ['192.168.70.11'], podCidrs: ['10.1.0.0/24'] }],
    pods: [{ ...pod('web', server), servers }, pod('a', a), pod('b', b)],
    hosts: [],
  });
  folders.set(lab, folder);
  try {
    writeTools(folder, tool);
    let runs = 0;
    await use({
      lab,
      run: (script, environment = {}) => {
        runs += 1;
        const count = join(folder, `count.${runs}`);
        writeFileSync(count, '0');
        const path = `${folder}/tools:${environment.NO_FLOCK ? `${folder}/no-flock` : process.env.PATH}`;
        const settings = { ...environment, COUNT: count, PATH: path, TMPDIR: folder };
        const words = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
        return tryIn(machine(lab, 'node-1'), ['env', ...words, 'sh', '-s'], script);
      },
    });
  } finally {
    const lock = lockOf(lab);
    rmSync(heldFile(lab), { force: true });
    await lab.close();
    rmSync(folder, { recursive: true });
    // Runs that were killed leave it.
    for (const left of [lock, `${lock}.d`]) rmSync(left, { recursive: true, force: true });
  }
}

/** While it exists, a script with its name in HELD stays at the second call of a tool. */
function heldFile(lab: Lab): string {
  return join(folders.get(lab) as string, 'held');
}

/** The lock of the node's network namespace. */
function lockOf(lab: Lab): string {
  const [, space = ''] = /\[(\d+)\]/.exec(readlinkSync(`/proc/${machine(lab, 'node-1').pid}/ns/net`)) ?? [];
  return `/run/k8snet.${space}.lock`;
}

/**
 * The tools of one back end. They count their calls and kill the script that calls them: before they do anything, when
 * half of their input is done, or when all is done. At the second call they wait while the file HELD is there.
 */
function writeTools(folder: string, tool: 'nft' | 'legacy'): void {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const wrapped = new Map([['ipset', 'ipset']]);
  for (const name of ['iptables', 'ip6tables']) {
    for (const end of ['', '-save', '-restore']) wrapped.set(`${name}${end}`, `${name}-${tool}${end}`);
  }
  for (const [name, real] of wrapped) {
    const path = join(tools, name);
    writeFileSync(
      path,
      `#!/bin/sh
real=$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v ${real})
count=$(($(cat "$COUNT") + 1))
echo $count >"$COUNT"
[ $count != 2 ] || while [ -e "\${HELD:-}" ]; do sleep 0.1; done
if [ $count != "\${KILL_AT:-}" ]; then exec "$real" "$@"; fi
case $KILL_HOW$1 in
  halfrestore) awk '{ line[NR] = $0 } END { for (i = 1; i <= NR / 2; i++) print line[i] }' | "$real" "$@" ;;
  after*) "$real" "$@" ;;
esac
kill -9 $PPID
`,
    );
    chmodSync(path, 0o755);
  }
  const without = join(folder, 'no-flock');
  mkdirSync(without);
  const used = 'sh awk sed cat rm rmdir mkdir sleep date readlink ls env uname tr sort head mktemp nft';
  for (const name of used.split(' ')) {
    const real = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].map((at) => join(at, name)).find((at) => existsSync(at));
    if (real !== undefined) symlinkSync(real, join(without, name));
  }
}
