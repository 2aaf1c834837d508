import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { familyOf } from '../../../src/common/ip.ts';
import type { PolicyModel } from '../../../src/model/policyModel.ts';
import { familiesOf, findParty, type PartyName } from '../../../src/policy/findParty.ts';
import type { Probe } from '../readCase.ts';

/** One cluster in which probes are sent. */
export interface World {
  readonly model: PolicyModel;
  readonly probes: readonly Pick<Probe, 'src' | 'dst' | 'protocol' | 'port' | 'family'>[];
  /** What each node runs, in order. */
  readonly rules: Readonly<Record<string, readonly LoadStep[]>>;
}

export interface LoadStep {
  readonly command: string;
  readonly text: string;
}

/** For each world, which probes got through. Network namespaces of their own; the machine's rules stay untouched. */
export async function sendProbes(worlds: readonly World[]): Promise<readonly (readonly boolean[])[]> {
  const input = JSON.stringify(worlds.map(described));
  const child = spawn('python3', [`${import.meta.dirname}/packets.py`], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  let output = '';
  child.stdout.setEncoding('utf8');
  for await (const chunk of child.stdout) output += chunk;
  const results: readonly (readonly boolean[] | { readonly error: string })[] = JSON.parse(output);
  return results.map((result) => {
    if ('error' in result) assert.fail(result.error);
    return result;
  });
}

/** Undefined: probes can be sent here. */
export function reasonToSkip(tools: readonly string[]): string | false {
  const isUsable =
    process.getuid?.() === 0 &&
    spawnSync('python3', ['--version']).status === 0 &&
    tools.every((tool) => spawnSync('unshare', ['-n', ...tool.split(' ')]).status === 0);
  assert.ok(isUsable || process.env.K8SNET_REQUIRE_KERNEL !== '1', 'root, python3 and the kernel tools are required');
  return isUsable ? false : `needs root, python3 and ${tools.map((tool) => tool.split(' ')[0]).join(', ')}`;
}

function described({ model, probes, rules }: World) {
  const outside = new Set<string>();
  const place = (name: PartyName): string => {
    if (name.kind === 'pod') return name.pod.isHostNetwork ? `node:${name.pod.node}` : name.pod.id;
    if (name.kind === 'node') return `node:${name.node.name}`;
    outside.add(name.ip);
    return 'outside';
  };
  const sent = probes.map(({ src, dst, protocol, port, family }) => {
    const from = findParty(model, src);
    const to = findParty(model, dst);
    assert.ok(from && to);
    const spoken = family ?? familiesOf(from).find((each) => familiesOf(to).includes(each));
    const address = (name: PartyName) =>
      name.kind === 'ip'
        ? name.ip
        : (name.kind === 'pod' ? name.pod : name.node).ips.find((ip) => familyOf(ip) === spoken);
    return { src: place(from), dst: place(to), sip: address(from), dip: address(to), protocol, port };
  });
  const pods = model.pods.filter(({ isHostNetwork, ips }) => !isHostNetwork && ips.length > 0);
  return {
    nodes: model.nodes.map(({ name, ips }) => ({ name, ips })),
    pods: pods.map(({ id, ips, node }) => ({ id, ips, node })),
    outside: [...outside],
    rules,
    probes: sent,
  };
}
