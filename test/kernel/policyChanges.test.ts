import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Lab, machine, openLab } from '../../src/lab/openLab.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import { clusterServices } from '../../src/pipeline/clusterServices.ts';
import { parsePortSpec } from '../../src/policy/portSpec.ts';
import { testPolicy } from '../../src/policy/testPolicy.ts';
import { conntrackHints } from '../../src/policy/text/conntrackHints.ts';
import { policyCleanupScript } from '../../src/script/policy/policyCleanup.ts';
import { openConversation } from '../policy/openConversation.ts';
import { policyState } from '../policy/policyState.ts';
import { manifestsOf } from '../policy/readCase.ts';
import { kernelTests } from './requirements.ts';

/** What becomes of connections and of other programs' rules while policies change. */
const nftTest = kernelTests(['nft']);
const iptablesTest = kernelTests(['iptables-nft', 'ipset']);
const legacyTest = kernelTests(['iptables-legacy', 'ipset']);
const conntrackTest =
  spawnSync('conntrack', ['--version']).status === 0
    ? nftTest
    : (name: string) => void test(name, { skip: 'this machine lacks conntrack' }, () => undefined);

const backends = [
  { name: 'nftables', kind: 'nftables', tool: 'nft', test: nftTest },
  { name: 'iptables-nft', kind: 'iptables', tool: 'nft', test: iptablesTest },
  { name: 'iptables-legacy', kind: 'iptables', tool: 'legacy', test: legacyTest },
] as const;

type Backend = (typeof backends)[number];

const client = '10.1.0.10';
const stranger = '10.1.0.11';
const server = '10.1.0.20';

for (const backend of backends) {
  backend.test(`${backend.name}: an open connection outlives a change that denies new ones`, async () => {
    await withLab(async (lab, load) => {
      await load(backend, [allowing('client')]);
      const conversation = await openConversation(machine(lab, 'client'), machine(lab, 'server'), server, 7);
      try {
        assert.ok(await conversation.isAnswered(10_000), 'before the change');
        assert.equal(await outcome(lab, 'client', 10_000), 'answered');
        await load(backend, [allowing('nobody')]);
        assert.ok(await conversation.isAnswered(10_000), 'the open connection goes on');
        assert.equal(await outcome(lab, 'client', 400), 'timeout');
        await load(backend, [allowing('client')]);
        assert.equal(await outcome(lab, 'client', 10_000), 'answered');
      } finally {
        conversation.close();
      }
    });
  });

  backend.test(`${backend.name}: fifty replacements leave no moment without rules`, async () => {
    await withLab(async (lab, load) => {
      // Both allow the client and deny the stranger, by different chains and sets.
      const rules = [[allowing('client')], [allowing('client', 'nobody'), allowing('nobody', 'client')]];
      await load(backend, rules[0] ?? []);
      const watched = await watch(lab, async () => {
        for (let times = 0; times < 50; times += 1) await load(backend, rules[(times + 1) % 2] ?? []);
      });
      assert.ok(watched.probes > 200, `only ${watched.probes} probes`);
      assert.equal(watched.answered, 0);
      assert.equal(await outcome(lab, 'client', 10_000), 'answered');
    });
  });

  backend.test(`${backend.name}: policies that are gone leave nothing, and clean-up spares others`, async () => {
    await withLab(async (lab, load, run) => {
      const node = machine(lab, 'node-1');
      const foreign = 'ipset create other hash:ip; iptables -N OTHER; iptables -A FORWARD -s 192.0.2.1 -j OTHER';
      if (backend.kind === 'iptables') await run(backend, foreign);
      const before = await policyState(node);
      await load(backend, [allowing('client')]);
      const few = await policyState(node);
      await load(backend, [allowing('client'), allowing('stranger')]);
      assert.notEqual(await policyState(node), few);
      await load(backend, [allowing('client')]);
      assert.equal(await policyState(node), few);
      await run(backend, policyCleanupScript());
      assert.equal(await policyState(node), before);
    });
  });
}

for (const backend of backends.filter(({ kind }) => kind === 'iptables')) {
  backend.test(`${backend.name}: rules that are refused half way leave the former ones, sets too`, async () => {
    await withLab(async (lab, load, run) => {
      const node = machine(lab, 'node-1');
      await load(backend, [allowing('client')]);
      const before = await policyState(node);
      // The kernel refuses REDIRECT in the filter table, which the tool's own test does not see.
      const late = script(backend, [allowing('nobody', 'client')]).replace(/-j DROP$/m, '-j REDIRECT');
      await assert.rejects(run(backend, late), /iptables-restore failed/);
      assert.equal(await policyState(node), before);
      const early = script(backend, [allowing('nobody', 'client')]).replace(/-j DROP$/m, '-j DROP --nope');
      await assert.rejects(run(backend, early), /nothing was changed/);
      assert.equal(await policyState(node), before);
    });
  });
}

conntrackTest('a hint cuts the open connection that policies deny now', async () => {
  await withLab(async (lab, load) => {
    const [nftables] = backends;
    await load(nftables, [allowing('client')]);
    const conversation = await openConversation(machine(lab, 'client'), machine(lab, 'server'), server, 7);
    try {
      await load(nftables, [allowing('nobody')]);
      assert.ok(await conversation.isAnswered(10_000));
      const manifests = manifestsOf(cluster([allowing('nobody')]));
      const model = readPolicyModel(manifests);
      const request = { from: 'default/client', to: 'default/server', port: parsePortSpec('7'), family: undefined };
      const outcome = testPolicy(model, clusterServices(manifests), request);
      const [hint = 'false'] = outcome.kind === 'checked' ? conntrackHints(outcome.checks) : [];
      await runIn(machine(lab, 'node-1'), ['sh', '-c', hint]);
      assert.ok(!(await conversation.isAnswered(600)));
    } finally {
      conversation.close();
    }
  });
});

nftTest('the watch notices a moment without rules', async () => {
  await withLab(async (lab, load) => {
    const [nftables] = backends;
    await load(nftables, [allowing('client')]);
    const watched = await watch(lab, async () => {
      for (let times = 0; times < 5; times += 1) {
        await runIn(machine(lab, 'node-1'), ['nft', 'delete', 'table', 'ip', 'k8snet-netpol']);
        await load(nftables, [allowing('client')]);
      }
    });
    assert.ok(watched.answered > 0);
  });
});

/** One policy of the server: these may come. */
function allowing(...names: readonly string[]) {
  return {
    kind: 'NetworkPolicy',
    metadata: { name: 'first' },
    spec: {
      podSelector: { matchLabels: { app: 'server' } },
      ingress: names.map((app) => ({ from: [{ podSelector: { matchLabels: { app } } }] })),
    },
  };
}

function script(backend: Backend, policies: readonly object[]): string {
  const model = readPolicyModel(manifestsOf(cluster(policies)));
  const compiled = compilePolicies(model, { backends: [backend.kind], node: 'node-1' }, () => undefined);
  return compiled.nftablesScript ?? compiled.iptablesScript ?? '';
}

function cluster(policies: readonly object[]): readonly object[] {
  const pod = (name: string, podIP: string) => ({
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running', podIP },
  });
  const node = {
    kind: 'Node',
    metadata: { name: 'node-1' },
    status: { addresses: [{ type: 'InternalIP', address: '192.168.0.1' }] },
  };
  const pods = [pod('client', client), pod('stranger', stranger), pod('server', server)];
  const named = policies.map((policy, at) => (at === 0 ? policy : { ...policy, metadata: { name: `policy-${at}` } }));
  return [node, ...pods, ...named];
}

type Load = (backend: Backend, policies: readonly object[]) => Promise<void>;
type Run = (backend: Backend, shell: string) => Promise<void>;

async function withLab(use: (lab: Lab, load: Load, run: Run) => Promise<void>): Promise<void> {
  const tools = mkdtempSync(join(tmpdir(), 'k8snet-tools-'));
  const pod = (name: string, address: string) => ({ name, node: 'node-1', addresses: [address] });
  const lab = await openLab({
    nodes: [{ name: 'node-1', addresses: ['192.168.0.1'], podCidrs: ['10.1.0.0/24'] }],
    pods: [
      pod('client', client),
      pod('stranger', stranger),
      { ...pod('server', server), servers: [{ protocol: 'tcp', port: 80 }] },
    ],
    hosts: [],
  });
  try {
    for (const kind of ['nft', 'legacy']) {
      mkdirSync(join(tools, kind));
      for (const family of ['iptables', 'ip6tables']) {
        for (const end of ['', '-save', '-restore']) {
          symlinkSync(`/usr/sbin/${family}-${kind}${end}`, join(tools, kind, `${family}${end}`));
        }
      }
    }
    const run: Run = async ({ tool }, shell) => {
      const path = `${join(tools, tool)}:${process.env.PATH}`;
      await runIn(machine(lab, 'node-1'), ['env', `PATH=${path}`, 'sh', '-s'], shell);
    };
    await use(lab, (backend, policies) => run(backend, script(backend, policies)), run);
  } finally {
    await lab.close();
    rmSync(tools, { recursive: true });
  }
}

async function outcome(lab: Lab, from: string, timeoutMs: number): Promise<string | undefined> {
  const [outcomes] = await runProbes(lab, [{ from, to: server, port: 80, timeoutMs }]);
  return outcomes?.[0]?.kind;
}

/** The stranger knocks as fast as it can while something is done. */
async function watch(lab: Lab, work: () => Promise<void>): Promise<{ probes: number; answered: number }> {
  let isDone = false;
  let probes = 0;
  let answered = 0;
  const knocking = (async () => {
    while (!isDone) {
      const [outcomes = []] = await runProbes(lab, [
        { from: 'stranger', to: server, port: 80, timeoutMs: 20, count: 20 },
      ]);
      probes += outcomes.length;
      answered += outcomes.filter(({ kind }) => kind === 'answered').length;
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await knocking;
  }
  return { probes, answered };
}
