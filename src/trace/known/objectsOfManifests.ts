import { cidrContains } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { onDemand } from '../../common/onDemand.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { namesOfObjects } from '../../diff/fixNamesOf.ts';
import { readOtherPolicy, readPolicyModel } from '../../model/policyModel.ts';
import { quietPodsOf } from '../../model/quietPodsOf.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { expectedRules } from '../../pipeline/expected/expectedRules.ts';
import { assumedOfObjects, networkOfObjects } from '../../pipeline/read/networkOfObjects.ts';
import { addressText, endText } from '../../walk/values/text.ts';
import { familyOfValue } from '../question/familyOfValue.ts';
import type { HostPod, NamedDestination, NamedPort, NamedService } from '../question/namedThings.ts';
import { protocolNumbers } from '../question/protocolName.ts';
import type { HealthCheckPort, TraceObjects } from './traceObjects.ts';

/**
 * What packets meet if manifests are given: the compiled rules, names, and the network. Who walks a dump needs the names
 * alone: the rules are made when they are asked for. `like`: they are kept beside these rules, mostly the same.
 */
export function objectsOfManifests(
  compiled: Compiled,
  hasNfacct: boolean,
  like?: NodeRules,
): { readonly rules: NodeRules; readonly objects: TraceObjects } {
  const made = onDemand({ rules: () => expectedRules(compiled, { hasNfacct }, { like }).rules });
  const addresses = modeFacts[compiled.model.config.mode].usesIpvs ? made.rules.addresses : [];
  const dummy = addresses.flatMap(({ tables }) => linesOf(tables.get('addresses')?.chains.get(ipvsDevice)));
  const network = networkOfObjects(compiled, dummy);
  return {
    get rules() {
      return made.rules;
    },
    objects: {
      services: servicesOf(compiled),
      hostPods: () => hostPodsOf(compiled),
      withoutRules: compiled.withoutRules,
      destinations: destinationsOf(compiled),
      fixNames: namesOfObjects(compiled),
      hostPorts: compiled.hostPorts,
      healthChecks: healthChecksOf(compiled),
      closesNodePorts: closesNodePortsOf(compiled),
      quietPods: quietPodsOf(compiled.policyManifests.pods),
      network,
      externalIPs: externalIPsOf(compiled),
      otherPolicies: (compiled.policyManifests.otherPolicies ?? []).map(readOtherPolicy),
      assumed: new Map(Object.entries(assumedOfObjects)) as TraceObjects['assumed'],
    },
  };
}

/** Of the node: a provider's network translates them to an address of the node. */
function externalIPsOf({ model, policyManifests }: Compiled): NonNullable<TraceObjects['externalIPs']> {
  const own = policyManifests.nodes.find(({ value }) => value.metadata.name.toLowerCase() === model.node.name);
  const addresses = own?.value.status?.addresses ?? [];
  const internal = addresses.flatMap(({ type, address }) =>
    type === 'InternalIP' ? (addressValue(address) ?? []) : [],
  );
  return addresses.flatMap(({ type, address }) => {
    const external = type === 'ExternalIP' ? addressValue(address) : undefined;
    const behind = internal.find((one) => typeof one === typeof external);
    return external === undefined || behind === undefined || behind === external
      ? []
      : [{ external, internal: behind }];
  });
}

/** Where a Pod shows no address yet, it has those of its node. */
function hostPodsOf({ policyManifests }: Compiled): readonly HostPod[] {
  const { pods, nodes } = readPolicyModel(policyManifests);
  const ipsOf = new Map(nodes.map(({ name, ips }) => [name, ips]));
  return pods
    .filter(({ isHostNetwork }) => isHostNetwork)
    .map(({ id, node, ips }) => {
      const own = ips.length > 0 ? ips : (ipsOf.get(node ?? '') ?? []);
      return { name: id, node: node?.toLowerCase(), addresses: own.flatMap((ip) => addressValue(ip) ?? []) };
    });
}

function healthChecksOf({ model }: Compiled): readonly HealthCheckPort[] {
  const ports = new Map<number, string>();
  for (const { healthCheckNodePort, namespace, name } of model.servicePorts)
    if (healthCheckNodePort > 0) ports.set(healthCheckNodePort, `${namespace}/${name}`);
  return [...ports].map(([port, service]) => ({ port, service }));
}

function closesNodePortsOf(compiled: Compiled): (address: Value) => boolean {
  if (compiled.model.config.nodePortAddresses.length === 0) return () => false;
  const openOf = (family: Family) => {
    const nodePorts = compiled.plans.find((plan) => plan.family === family)?.node.nodePorts;
    return nodePorts?.kind === 'addresses' ? new Set(nodePorts.addresses.map(addressValue)) : undefined;
  };
  const open = onDemand({ ipv4: () => openOf('ipv4'), ipv6: () => openOf('ipv6') });
  return (address) => open[familyOfValue(address)]?.has(address) === false;
}

function servicesOf({ model }: Compiled): readonly NamedService[] {
  const services = new Map<string, { addresses: Value[]; ports: NamedPort[] }>();
  for (const { namespace, name, clusterIP, portName, port, protocol } of model.servicePorts) {
    const id = `${namespace}/${name}`;
    const service = services.get(id) ?? { addresses: [], ports: [] };
    const address = addressValue(clusterIP);
    if (address !== undefined && !service.addresses.includes(address)) service.addresses.push(address);
    if (!service.ports.some((known) => known.number === port && known.name === portName))
      service.ports.push({ name: portName, number: port, protocol: protocolNumbers.get(protocol.toLowerCase()) });
    services.set(id, service);
  }
  return [...services].map(([name, service]) => ({ name, ...service }));
}

function destinationsOf({ model, dialect }: Compiled): readonly NamedDestination[] {
  return model.servicePorts.flatMap((own): readonly NamedDestination[] => {
    const { namespace, name, portName, port, family, clusterIP, externalIPs, loadBalancerIngress, nodePort } = own;
    const service = portName === '' ? `${namespace}/${name}` : `${namespace}/${name}:${portName}`;
    const all = own.endpoints;
    let named: ReadonlySet<string> | undefined;
    const { isWithoutAddress } = own;
    const endpoints = () => {
      named ??= new Set(all.map(({ ip, port: number }) => endText(addressValue(ip), number)));
      return named;
    };
    // Versions that do not trim ranges leave out padded ones.
    const admits = (source: Value) =>
      own.sourceRanges.length === 0 ||
      own.sourceRanges.some(({ network, isPadded }) => !isPadded && cidrContains(network, addressText(source)));
    // 1.22 and 1.23 count only those of the node where the internal policy is Local.
    const isServed = (where: 'any' | 'local') =>
      all.some(({ isReady, isLocal }) => isReady && (isLocal || (where === 'any' && !own.isInternalPolicyLocal)));
    const protocol = protocolNumbers.get(own.protocol.toLowerCase()) ?? 0;
    const at = (kind: NamedDestination['kind'], ip: string): readonly NamedDestination[] => {
      const address = addressValue(ip);
      return address === undefined
        ? []
        : [{ service, kind, family, address, protocol, port, isServed, endpoints, isWithoutAddress }];
    };
    return [
      ...at('clusterIP', clusterIP),
      ...externalIPs.flatMap((ip) => at('externalIP', ip)),
      ...loadBalancerIngress.flatMap(({ ip, ipMode }) => {
        const isLeftToBalancer = ipMode === 'Proxy' && dialect.plan.honoursIpMode;
        return at('loadBalancerIP', ip).map((one) => ({
          ...one,
          admits,
          ...(isLeftToBalancer && { isLeftToBalancer }),
        }));
      }),
      ...(nodePort === 0
        ? []
        : [
            {
              service,
              kind: 'nodePort' as const,
              family,
              address: undefined,
              protocol,
              port: nodePort,
              isServed,
              endpoints,
              isWithoutAddress,
            },
          ]),
    ];
  });
}
