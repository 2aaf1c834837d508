import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import type { Complain } from '../../fields/complain.ts';
import { complainExperimental } from '../../fields/experimentalField.ts';
import type { AdminRuleObject, ClusterRuleObject } from '../../kinds/clusterPolicyObjects.ts';
import type { Manifest } from '../../kinds/manifest.ts';

/** The ports of a rule, of either version. True: one of them is a name. */
export function checkPorts(
  policy: Manifest<unknown>,
  path: JsonPath,
  rule: Partial<Pick<AdminRuleObject, 'ports'> & Pick<ClusterRuleObject, 'protocols'>>,
  complain: Complain,
): boolean {
  let hasName = false;
  for (const [index, port] of (rule.ports ?? []).entries()) {
    const place = [...path, 'ports', index];
    checkSingle(policy, place, port, 'portNumber, portRange or namedPort', complain);
    const { portRange, namedPort } = port;
    // The CRD of v1alpha1 takes it, and no port is in it.
    if (portRange !== undefined && portRange.end < portRange.start) {
      complain(policy, {
        code: 'bad-port-range',
        severity: 'warning',
        path: [...place, 'portRange', 'end'],
        message: `${portRange.end} is below start ${portRange.start}: no port is in this range`,
      });
    }
    if (namedPort === undefined) continue;
    hasName = true;
    complainExperimental(policy, [...place, 'namedPort'], complain);
  }
  for (const [index, protocol] of (rule.protocols ?? []).entries()) {
    const place = [...path, 'protocols', index];
    checkSingle(policy, place, protocol, 'tcp, udp, sctp or destinationNamedPort', complain);
    if (protocol.destinationNamedPort !== undefined) hasName = true;
    for (const name of ['tcp', 'udp', 'sctp'] as const) {
      const destination = protocol[name];
      if (destination === undefined) continue;
      const { destinationPort } = destination;
      checkSingle(policy, [...place, name], destination, 'destinationPort', complain);
      if (destinationPort === undefined) continue;
      checkSingle(policy, [...place, name, 'destinationPort'], destinationPort, 'number or range', complain);
      const { range } = destinationPort;
      if (range === undefined || range.start < range.end) continue;
      complain(policy, {
        code: 'bad-port-range',
        path: [...place, name, 'destinationPort', 'range', 'end'],
        message: `${range.end} is not above start ${range.start}`,
        ...(range.start === range.end && { hint: `write number: ${range.start}` }),
      });
    }
  }
  return hasName;
}

function checkSingle(
  policy: Manifest<unknown>,
  path: JsonPath,
  value: object,
  fields: string,
  complain: Complain,
): void {
  const given = Object.keys(value).length;
  if (given === 1) return;
  const message = given === 0 ? `must have ${fields}` : `must have only one of ${fields}`;
  complain(policy, { code: 'bad-policy-port', path, message });
}
