import type { Ternary } from '../common/ternary.ts';
import type { NetPolicyPort } from '../model/netPolicy.ts';
import type { PolicyFlow } from './policyFlow.ts';

/** Whether a port of a rule is a connection's. A name is looked up at the receiver; one that it does not define is no port. */
export function isPort(port: NetPolicyPort, { protocol, port: number, to }: PolicyFlow): Ternary {
  if (port.protocol !== undefined && port.protocol !== protocol) return 'no';
  if (port.kind === 'range') return port.first <= number && number <= port.last ? 'yes' : 'no';
  const isDefined = to.pods.some(({ namedPorts }) =>
    namedPorts.some((each) => each.name === port.name && each.protocol === protocol && each.port === number),
  );
  if (isDefined) return 'yes';
  const hasPorts = protocol !== 'ICMP' && protocol !== 'other';
  return hasPorts && to.pods.some(({ hasKnownPorts }) => !hasKnownPorts) ? 'maybe' : 'no';
}
