import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCidr } from '../../src/common/addresses/cidr.ts';
import { type Lab, machine, openLab } from '../../src/lab/openLab.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { scriptsWith } from '../policy/applyScripts.ts';
import { kernelTests } from './requirements.ts';
import { policyLayouts, type SwitchedLayout } from './switchPolicies.ts';

/** What policies make of what stands around them: marks of other programs, Pods that nobody knows, tables of other versions. */
const test = kernelTests(['nft', 'iptables-nft', 'ipset']);

// a may talk to web, b may not; nobody knows the last one.
const pods = { web: 9, a: 10, b: 11, late: 30 } as const;
const address = (pod: number, family: 'v4' | 'v6') => (family === 'v4' ? `10.1.0.${pod}` : `fd00:1::${pod}`);
const bridge = 1;

for (const layout of policyLayouts) {
  test(`a mark of another program opens no policy (${layout})`, async () => {
    await withNode(layout, {}, async (lab) => {
      const reaches = async (from: string, timeoutMs: number) => {
        const [outcomes] = await runProbes(lab, [{ from, to: address(pods.web, 'v4'), port: 80, timeoutMs }]);
        return outcomes?.[0]?.kind === 'answered';
      };
      for (const mark of ['0x0', '0x10001', '0x30000', '0xffffffff']) {
        await runIn(machine(lab, 'node-1'), ['sh', '-c', foreignMark(mark)]);
        assert.equal(await reaches('a', 8000), true, `a, ${mark}`);
        assert.equal(await reaches('b', 400), false, `b, ${mark}`);
      }
    });
  });

  for (const family of ['v4', 'v6'] as const) {
    test(`closed to unknown Pods, a node reaches its own address and new Pods (${layout}, ${family})`, async () => {
      await withNode(layout, { unknownPods: 'deny' }, async (lab) => {
        const allowed = [
          ['node-1', bridge],
          ['node-1', pods.a],
          ['node-1', pods.late],
          ['a', bridge],
          ['a', pods.b],
        ] as const;
        const denied = [
          ['a', pods.late],
          ['late', pods.b],
          ['late', bridge],
        ] as const;
        for (const [tries, timeoutMs, wanted] of [
          [allowed, 8000, true],
          [denied, 500, false],
        ] as const) {
          for (const [from, to] of tries) {
            // kube-router lets echo requests of Pods that it knows pass to anywhere.
            const protocol = !wanted && to !== bridge ? ('tcp' as const) : ('icmp' as const);
            const probe = { from, to: address(to, family), port: 80, protocol, timeoutMs };
            const [outcomes] = await runProbes(lab, [probe]);
            assert.equal(outcomes?.[0]?.kind === 'answered', wanted, `${from} to ${probe.to}: ${outcomes?.[0]?.kind}`);
          }
        }
      });
    });
  }
}

const foreignTables = {
  'of the same hook with older contents': `table ip k8snet-netpol {
    map ingress-pods { type ipv4_addr : verdict; elements = { 10.1.0.9 : jump in-old } }
    chain in-old { counter drop; }
    chain forward { type filter hook forward priority filter; ip daddr vmap @ingress-pods; }
  }`,
  'with another priority and another type': `table ip k8snet-netpol {
    map ingress-pods { type ipv4_addr . inet_service : verdict; }
    set pod-ranges { type ipv6_addr; }
    chain forward { type filter hook forward priority 7; }
    chain input { type nat hook input priority 3; }
    chain other { type filter hook output priority 0; tcp dport 81 drop; }
  }`,
} as const;

for (const [kind, table] of Object.entries(foreignTables)) {
  test(`policy.sh leaves its own rules alone where a table ${kind} was, and twice the same`, async () => {
    await withNode('nftables', {}, async (lab, script) => {
      const node = machine(lab, 'node-1');
      const list = async () => {
        const text = await runIn(node, ['nft', '-s', 'list', 'table', 'ip', 'k8snet-netpol']);
        return [...text.matchAll(/^\t(?:set|map|chain) \S+ \{\n[\s\S]*?^\t\}$/gm)].map(([block]) => block).sort();
      };
      const own = await list();
      await runIn(node, ['nft', 'delete', 'table', 'ip', 'k8snet-netpol']);
      await runIn(node, ['nft', '-f', '-'], table);
      for (let times = 0; times < 2; times += 1) {
        const { status, stderr } = await tryIn(node, ['sh', '-s'], script);
        assert.equal(status, 0, stderr);
        assert.deepEqual(await list(), own);
      }
    });
  });
}

function foreignMark(mark: string): string {
  return `iptables-nft -t mangle -F && iptables-nft -t mangle -A PREROUTING -j MARK --set-mark ${mark}`;
}

async function withNode(
  layout: SwitchedLayout,
  options: { readonly unknownPods?: 'deny' },
  use: (lab: Lab, script: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-around-'));
  const both = (pod: number) => [address(pod, 'v4'), address(pod, 'v6')];
  const lab = await openLab({
    nodes: [{ name: 'node-1', addresses: ['192.168.70.11', 'fd00:70::11'], podCidrs: ['10.1.0.0/24', 'fd00:1::/64'] }],
    pods: Object.entries(pods).map(([name, pod]) => ({
      name,
      node: 'node-1',
      addresses: both(pod),
      servers: [{ protocol: 'tcp' as const, port: 80 }],
    })),
    hosts: [],
  });
  try {
    const file = join(folder, 'cluster.yaml');
    const policies = readFileSync('fixtures/policy-scripts/swap-A.yaml', 'utf8');
    const dual = policies
      .replace('address: 192.168.70.11}', 'address: 192.168.70.11}, {type: InternalIP, address: "fd00:70::11"}')
      .replace(/podIP: 10\.1\.0\.(\d+)/g, '$&, podIPs: [{ip: 10.1.0.$1}, {ip: "fd00:1::$1"}]');
    writeFileSync(file, dual);
    const podCIDRs = ['10.1.0.0/24', 'fd00:1::/64'].map(parseCidr).filter((cidr) => cidr !== undefined);
    const how = layout === 'nftables' ? ({ backend: layout } as const) : ({ backend: 'iptables', layout } as const);
    const policy = { ...how, ...options, podCIDRs, node: 'node-1' };
    const script = (await scriptsWith({ isPolicyOnly: true, policy }, [file], '--node', 'node-1')).policy;
    const node = machine(lab, 'node-1');
    for (const own of both(bridge)) await tryIn(node, ['ip', 'addr', 'add', own, 'dev', 'lo']);
    await runIn(node, ['sh', '-s'], script);
    await use(lab, script);
  } finally {
    await lab.close();
    rmSync(folder, { recursive: true });
  }
}
