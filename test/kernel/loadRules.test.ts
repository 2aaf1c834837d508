import assert from 'node:assert/strict';
import { openLab } from '../../src/lab/openLab.ts';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { releaseProbes } from '../../src/lab/probes/releaseProbes.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { loadIpset, loadNft, loadSave, loadSysctls, readIpset, readIptables, readNft } from './loadRules.ts';
import { kernelTests } from './requirements.ts';

async function inNamespace(run: (namespace: Namespace) => Promise<void>): Promise<void> {
  const namespace = await openNamespace('test', { 'net.ipv4.ip_forward': 1 });
  try {
    await run(namespace);
  } finally {
    await namespace.close();
  }
}

for (const backend of ['nft', 'legacy'] as const) {
  kernelTests([`iptables-${backend}`])(`what iptables-${backend} loads is read back without counters`, async () => {
    await inNamespace(async (namespace) => {
      await loadSave(namespace, 'v6', backend, '*nat\n:OUTPUT ACCEPT [3:180]\n:A - [0:0]\n-A OUTPUT -j A\nCOMMIT\n');
      const { nat, ...others } = await readIptables(namespace, 'v6', backend);
      assert.deepEqual(
        nat?.filter((line) => / A$|^:A/.test(line)),
        [':A -', '-A OUTPUT -j A'],
      );
      assert.deepEqual(others, {});
      await assert.rejects(loadSave(namespace, 'v4', backend, '*nat\n-A OUTPUT -j NONE\nCOMMIT\n'), /NONE/);
    });
  });
}

kernelTests(['nft'])('nft tables, and the absence of one', async () => {
  await inNamespace(async (namespace) => {
    await loadNft(namespace, 'add table ip6 mine\nadd chain ip6 mine c\n');
    assert.equal(await readNft(namespace, 'ip6', 'mine'), 'table ip6 mine {\n\tchain c {\n\t}\n}\n');
    assert.equal(await readNft(namespace, 'ip', 'mine'), '');
  });
});

kernelTests(['ipset'])('sets are read back in one order, without what the kernel draws at random', async () => {
  await inNamespace(async (namespace) => {
    const members = ['10.0.0.3', '10.0.0.1', '10.0.0.2'].map((address) => `add s ${address}\n`);
    await loadIpset(namespace, `create s hash:ip family inet hashsize 1024 maxelem 65536\n${members.join('')}`);
    assert.deepEqual(await readIpset(namespace), {
      s: [
        'add s 10.0.0.1',
        'add s 10.0.0.2',
        'add s 10.0.0.3',
        'create s hash:ip family inet hashsize 1024 maxelem 65536',
      ],
    });
  });
});

kernelTests([])('settings are those of the namespace', async () => {
  await inNamespace(async (namespace) => {
    const setting = '/proc/sys/net/ipv4/conf/all/route_localnet';
    assert.equal(await runIn(namespace, ['cat', setting, '/proc/sys/net/ipv4/ip_forward']), '0\n1\n');
    await loadSysctls(namespace, 'net.netfilter.nf_conntrack_max = 1\nnet.ipv4.conf.all.route_localnet = 1\n');
    assert.equal(await runIn(namespace, ['cat', setting]), '1\n');
  });
});

kernelTests([])('a namespace ends with its agent, and says so to who asks it', async () => {
  const namespace = await openNamespace('short-lived');
  await namespace.close();
  await assert.rejects(runIn(namespace, ['true']), /true in short-lived: the agent has ended/);
  assert.deepEqual((await namespace.ask('release')).slice(0, 1), ['failed']);
});

kernelTests([])('held connections stay open until they are released', async () => {
  const node = {
    name: 'node',
    addresses: ['192.168.10.1'],
    podCidrs: [],
    servers: [{ protocol: 'tcp' as const, port: 80 }],
  };
  const lab = await openLab({
    nodes: [node],
    pods: [],
    hosts: [{ name: 'outside', addresses: ['192.0.2.1'], gateway: 'node' }],
  });
  try {
    const established = async () => {
      const table = await runIn(lab.machines.get('node') as Namespace, ['cat', '/proc/net/tcp']);
      return table.split('\n').filter((line) => /^ *[0-9]+: \S+ \S+ 01 /.test(line)).length;
    };
    await runProbes(lab, [{ from: 'outside', to: '192.168.10.1', port: 80, count: 3, isHeld: true, timeoutMs: 5000 }]);
    assert.equal(await established(), 3);
    await releaseProbes(lab, 'outside');
    for (let left = 2000; left > 0 && (await established()) > 0; left -= 1);
    assert.equal(await established(), 0);
  } finally {
    await lab.close();
  }
});
