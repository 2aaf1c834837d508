import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { LabNetwork } from '../../src/lab/network/labNetwork.ts';
import { openLab } from '../../src/lab/openLab.ts';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { type ProbeOutcome, runProbes } from '../../src/lab/probes/runProbes.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { builtFile, nodeCommand } from '../support/builtFile.ts';
import { kernelTests } from './requirements.ts';

const test = kernelTests([]);

const servers = (['tcp', 'udp', 'sctp'] as const).map((protocol) => ({ protocol, port: 8080 }));

/** Two nodes of both families, three pods, a host outside. */
const network: LabNetwork = {
  nodes: [
    {
      name: 'node-1',
      addresses: ['192.168.10.1', 'fd00:192:168:10::1'],
      podCidrs: ['10.244.1.0/24', 'fd00:10:244:1::/64'],
    },
    {
      name: 'node-2',
      addresses: ['192.168.10.2', 'fd00:192:168:10::2'],
      podCidrs: ['10.244.2.0/24', 'fd00:10:244:2::/64'],
    },
  ],
  pods: [
    { name: 'a', node: 'node-1', addresses: ['10.244.1.10', 'fd00:10:244:1::10'], servers },
    { name: 'b', node: 'node-1', addresses: ['10.244.1.11', 'fd00:10:244:1::11'], servers },
    { name: 'c', node: 'node-2', addresses: ['10.244.2.10', 'fd00:10:244:2::10'], servers },
  ],
  hosts: [{ name: 'outside', addresses: ['198.51.100.7', 'fd00:198:51:100::7'], gateway: 'node-1', servers }],
};

const everyone = [...network.pods, ...network.hosts];

for (const podNetwork of ['routed', 'bridged'] as const) {
  const needs = podNetwork === 'bridged' ? (['bridge-netfilter'] as const) : [];
  kernelTests(needs)(
    `${podNetwork} pods: everyone reaches everyone, by every protocol, with its own address`,
    async () => {
      const lab = await openLab({ ...network, podNetwork });
      try {
        const probes = everyone.flatMap((client) =>
          everyone.flatMap((server) =>
            server.addresses.flatMap((to) =>
              servers.map(({ protocol, port }) => ({ from: client.name, to, port, protocol, timeoutMs: 5000 })),
            ),
          ),
        );
        const outcomes = await runProbes(lab, probes);
        const seen = outcomes.map(([outcome]) => withoutPort(outcome));
        const expected = probes.map(({ from, to }) => {
          const client = everyone.find(({ name }) => name === from);
          const server = everyone.find(({ addresses }) => addresses.includes(to));
          const index = server?.addresses.indexOf(to) ?? -1;
          return { kind: 'answered', by: server?.name, sawSource: client?.addresses[index] };
        });
        assert.deepEqual(seen, expected);
      } finally {
        await lab.close();
      }
    },
  );
}

test('refused, silent and unreachable targets are told apart', async () => {
  const lab = await openLab(network);
  try {
    const protocols = ['tcp', 'udp', 'sctp'] as const;
    const kinds = async (from: string, to: string, timeoutMs = 8000) => {
      const probes = protocols.map((protocol) => ({ from, to, port: 9, protocol, timeoutMs }));
      return (await runProbes(lab, probes)).map(([outcome]) => outcome?.kind);
    };
    assert.deepEqual(await kinds('a', '10.244.2.10'), ['refused', 'refused', 'refused']);
    assert.deepEqual(await kinds('a', 'fd00:10:244:2::10'), ['refused', 'refused', 'refused']);
    assert.deepEqual(await kinds('a', '10.96.0.1', 400), ['timeout', 'timeout', 'timeout']);
  } finally {
    await lab.close();
  }
});

function withoutPort(outcome: ProbeOutcome | undefined): unknown {
  if (outcome?.kind !== 'answered') return outcome;
  const { sawPort, ...rest } = outcome;
  assert.ok(sawPort > 0);
  return rest;
}

test('a machine is ready when its devices can send', async () => {
  const machine = await openNamespace('wired');
  try {
    await runIn(machine, ['ip', '-batch', '-'], 'link add near type veth peer name far\nlink set near up\n');
    let isReady = false;
    const ready = machine.ask('settle').then((words) => {
      isReady = true;
      return words;
    });
    for (let looks = 0; looks < 5; looks += 1) await runIn(machine, ['ip', 'link', 'show', 'near']);
    assert.equal(isReady, false);
    await runIn(machine, ['ip', 'link', 'set', 'far', 'up']);
    assert.deepEqual(await ready, ['ok']);
  } finally {
    await machine.close();
  }
});

test('a lab ends with its process, however that ends', async () => {
  const script = `
    import { openLab } from ${JSON.stringify(builtFile('src/lab/openLab.ts'))};
    const lab = await openLab({
      nodes: [{ name: 'node', addresses: ['192.168.10.1'], podCidrs: [] }], pods: [], hosts: [],
    });
    console.log(lab.machines.get('node').pid);
    setInterval(() => {}, 1000);`;
  const [node = '', ...words] = nodeCommand;
  const child = spawn(node, [...words, '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const namespace = `/proc/${pid.trim()}/ns/net`;
  assert.ok(existsSync(namespace));
  child.kill('SIGKILL');
  for (let left = 1500; left > 0 && existsSync(namespace); left -= 1) await setTimeout(20);
  assert.ok(!existsSync(namespace));
});
