import { cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { interfaceAddresses } from '../../node/interfaceAddresses.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { knownAddresses } from './knownAddresses.ts';

/** The node's own addresses as its rules for node ports show them. */
export interface ShownAddresses {
  readonly addresses: readonly string[];
  readonly options: Pick<CompileInput['target'], 'nodeIPs' | 'nodeAddresses'>;
}

/**
 * Addresses for want of any that were given. A Node object names those by which other nodes know it: of an address on a
 * further interface the rules alone tell, where nodePortAddresses asks for its range, or the node shows that it has it.
 */
export function shownAddresses(
  input: Pick<CompileInput, 'target' | 'objects'>,
  dump: NodeRules,
  nodePortIPs: readonly string[],
  nodePortAddresses: unknown,
  mode: ProxyMode,
): ShownAddresses {
  const { target, objects } = input;
  const none: ShownAddresses = { addresses: [], options: {} };
  if (target.nodeAddresses !== undefined) return none;
  const { namedNodeAddresses } = modeFacts[mode];
  // A Node object has fewer addresses than rules that name all of them.
  const isToldByNode = namedNodeAddresses !== 'all' && objects.some(({ kind }) => kind === 'Node');
  if (!isToldByNode && target.nodeIPs === undefined && nodePortIPs.length > 0) {
    const isPrimary = namedNodeAddresses === 'primary';
    const options = isPrimary ? { nodeIPs: firstOfEach(nodePortIPs) } : { nodeAddresses: nodePortIPs.map(hostCidr) };
    return { addresses: nodePortIPs, options };
  }
  const ranges = Array.isArray(nodePortAddresses) ? nodePortAddresses.map((text) => parseCidr(String(text))) : [];
  const named = [...nodePortIPs, ...(proxySeen(dump).of(mode).settings.nodePortIPs ?? [])];
  const own = new Set(interfaceAddresses(dump.network));
  const isAsked = (ip: string) => own.has(ip) || ranges.some((range) => range !== undefined && cidrContains(range, ip));
  const asked = named.filter(isAsked);
  if (asked.length === 0) return none;
  const known = knownAddresses(target, objects);
  const further = asked.filter((ip) => !known.includes(ip) && !isLoopbackIp(ip));
  return further.length === 0 ? none : { addresses: further, options: { nodeAddresses: further.map(hostCidr) } };
}

function firstOfEach(addresses: readonly string[]): readonly string[] {
  const isSix = (address: string) => address.includes(':');
  return [addresses.find((address) => !isSix(address)), addresses.find(isSix)].filter((one) => one !== undefined);
}
