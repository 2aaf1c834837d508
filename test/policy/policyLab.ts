import assert from 'node:assert/strict';
import { familyOf } from '../../src/common/addresses/ip.ts';
import type { LabNetwork, LabServer } from '../../src/lab/network/labNetwork.ts';
import { type Lab, openLab } from '../../src/lab/openLab.ts';
import { runProbes } from '../../src/lab/probes/runProbes.ts';
import type { PolicyModel } from '../../src/model/policyModel.ts';
import { familiesOf } from '../../src/policy/familiesOf.ts';
import { findParty, type PartyName } from '../../src/policy/parties/findParty.ts';
import type { Probe } from './readCase.ts';

/** A case's cluster as namespaces, and its probes as packets in it. */
export interface PolicyLab {
  readonly lab: Lab;
  /** Which probes were not answered, or were although they should not, with the rules that are loaded now. */
  readonly wrongProbes: () => Promise<readonly Probe[]>;
}

/** Everything that a probe is sent to serves its port; an address that no pod and no node has is an outside host's. */
export async function openPolicyLab(
  model: PolicyModel,
  probes: readonly Probe[],
  podNetwork: 'routed' | 'bridged' = 'routed',
): Promise<PolicyLab> {
  const sent = probes.map((probe) => resolved(model, probe));
  const places = new Set([...model.nodes.map(({ name }) => name), ...model.pods.map(({ id }) => id)]);
  // Whoever is dialled as a Service or as a node port is nobody: the servers are the pods behind it.
  const ends = sent.flatMap(({ from, to, isService }) => (isService ? [from] : [from, to]));
  const outside = new Set(ends.filter((each) => !places.has(each)));
  const serversOf = (name: string): readonly LabServer[] => {
    const served = new Map<string, LabServer>();
    for (const { to, target, protocol, port, isService } of sent) {
      // A server of all addresses would answer UDP from the first of them.
      if (to === name && !isService && protocol !== 'icmp')
        served.set(`${protocol} ${port} ${target}`, { protocol, port, address: target });
    }
    return [...served.values()];
  };
  const [gateway] = model.nodes;
  const network: LabNetwork = {
    podNetwork,
    nodes: model.nodes.map(({ name, ips }) => ({
      name,
      addresses: ips,
      podCidrs: podNetwork === 'bridged' ? networksOf(model, name) : [],
      servers: serversOf(name),
    })),
    pods: model.pods
      .filter(({ isHostNetwork, ips }) => !isHostNetwork && ips.length > 0)
      .map(({ id, ips, node }) => ({
        name: id,
        node: node ?? assert.fail(`${id} runs nowhere`),
        addresses: ips,
        servers: [...serversOf(id), ...(probes.some(({ vip }) => vip) ? containerServers(model, id) : [])],
      })),
    hosts: [...outside].map((address) => ({
      name: address,
      addresses: [address],
      gateway: gateway?.name ?? assert.fail('no node'),
      servers: serversOf(address),
    })),
  };
  const lab = await openLab(network);
  return {
    lab,
    wrongProbes: async () => {
      const outcomes = await runProbes(
        lab,
        sent.map(({ from, source, target, protocol, port, allowed }) => {
          const timeoutMs = allowed ? 10_000 : 400;
          return { from, to: target, port, protocol, sourceAddress: source, timeoutMs };
        }),
      );
      return probes.filter(({ allowed }, at) => (outcomes[at]?.[0]?.kind === 'answered') !== allowed);
    },
  };
}

/** The cases' pods have the third number of their node's network: 10.1.0.10 is in 10.1.0.0/24, fd00:1::10 in fd00:1::/64. */
function networksOf({ pods }: PolicyModel, node: string): readonly string[] {
  const own = pods.filter((pod) => pod.node === node && !pod.isHostNetwork).flatMap(({ ips }) => ips);
  const networks = own.map((ip) =>
    familyOf(ip) === 'ipv4' ? ip.replace(/\d+$/, '0/24') : ip.replace(/::[0-9a-f]*$/, '::/64'),
  );
  return [...new Set(networks)];
}

/** The named ports of a pod: what Services of the cases lead to. */
function containerServers({ pods }: PolicyModel, id: string): readonly LabServer[] {
  const ports = pods.find((pod) => pod.id === id)?.namedPorts ?? [];
  return ports.map(({ protocol, port }) => ({ protocol: protocol.toLowerCase() as LabServer['protocol'], port }));
}

function resolved(model: PolicyModel, { src, dst, protocol, port, family, allowed, vip }: Probe) {
  const from = findParty(model, src);
  const to = findParty(model, dst);
  assert.ok(from && to, `${src} and ${dst} exist`);
  const spoken = family ?? familiesOf(from).find((each) => familiesOf(to).includes(each));
  const address = (name: PartyName): string => {
    if (name.kind === 'ip') return name.ip;
    const { ips } = name.kind === 'pod' ? name.pod : name.node;
    return ips.find((ip) => familyOf(ip) === spoken) ?? assert.fail('no address');
  };
  return {
    from: place(from),
    to: place(to),
    source: address(from),
    target: address(to),
    protocol: protocol.toLowerCase() as 'tcp' | 'udp' | 'sctp' | 'icmp',
    port,
    allowed,
    isService: vip === true,
  };
}

function place(name: PartyName): string {
  if (name.kind === 'ip') return name.ip;
  if (name.kind === 'node') return name.node.name;
  return name.pod.isHostNetwork ? (name.pod.node ?? assert.fail(`${name.pod.id} runs nowhere`)) : name.pod.id;
}
