import { type Cidr, isStrictSubnet } from '../../../common/addresses/cidr.ts';
import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import { checkNetwork, isOrdinaryNetwork } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import { portNameProblem } from '../../fields/names.ts';
import { quote } from '../../fields/quote.ts';
import { checkSelector } from '../../fields/selectors.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests } from '../../kinds/manifests.ts';
import type { NetworkPolicyPeerObject, NetworkPolicyPortObject } from '../../kinds/networkPolicyObjects.ts';

/** NetworkPolicies: a rule that cannot be read right is refused, never skipped, for skipping one would open or close too much. */
export function networkPolicies(manifests: Manifests, complain: Complain): void {
  for (const policy of manifests.networkPolicies) {
    const { spec } = policy.value;
    checkSelector(policy, ['spec', 'podSelector'], spec?.podSelector, complain);
    for (const [index, rule] of (spec?.ingress ?? []).entries()) {
      const path = ['spec', 'ingress', index];
      checkPeers(policy, [...path, 'from'], rule?.from ?? [], complain);
      checkPorts(policy, [...path, 'ports'], rule?.ports ?? [], complain);
    }
    for (const [index, rule] of (spec?.egress ?? []).entries()) {
      const path = ['spec', 'egress', index];
      checkPeers(policy, [...path, 'to'], rule?.to ?? [], complain);
      checkPorts(policy, [...path, 'ports'], rule?.ports ?? [], complain);
    }
  }
}

function checkPorts(
  policy: Manifest<unknown>,
  path: JsonPath,
  ports: readonly NetworkPolicyPortObject[],
  complain: Complain,
): void {
  for (const [index, { port, endPort }] of ports.entries()) {
    if (typeof port === 'string') {
      const problem = portNameProblem(port);
      if (problem !== undefined) {
        complain(policy, {
          code: 'bad-name',
          path: [...path, index, 'port'],
          message: `${quote(port)} is not the name of a port: it ${problem}`,
          ...(/^[0-9]+$/.test(port) ? { hint: 'a port number is written without quotes' } : {}),
        });
      }
    }
    if (endPort === undefined || endPort === null) continue;
    const problem = endPortProblem(port, endPort);
    if (problem !== undefined) {
      complain(policy, { code: 'bad-port-range', path: [...path, index, 'endPort'], message: problem });
    }
  }
}

function endPortProblem(port: number | string | null | undefined, endPort: number): string | undefined {
  if (port === undefined || port === null) return 'is not allowed without port';
  if (typeof port === 'string') return 'is not allowed where port is a name';
  return endPort < port ? `${endPort} is below port ${port}` : undefined;
}

function checkPeers(
  policy: Manifest<unknown>,
  path: JsonPath,
  peers: readonly NetworkPolicyPeerObject[],
  complain: Complain,
): void {
  for (const [index, peer] of peers.entries()) {
    // Most are blocks, of which there may be very many: their paths are not even made.
    if (isPlainBlock(peer)) continue;
    const place = [...path, index];
    const { podSelector, namespaceSelector, ipBlock } = peer;
    if (!podSelector && !namespaceSelector && !ipBlock) {
      complain(policy, {
        code: 'bad-policy-peer',
        path: place,
        message: 'must have a podSelector, a namespaceSelector or an ipBlock',
      });
    }
    if (ipBlock && (podSelector || namespaceSelector)) {
      complain(policy, {
        code: 'bad-policy-peer',
        path: place,
        message: 'must not have both an ipBlock and a selector',
      });
    }
    checkSelector(policy, [...place, 'podSelector'], podSelector, complain);
    checkSelector(policy, [...place, 'namespaceSelector'], namespaceSelector, complain);
    if (ipBlock) checkBlock(policy, [...place, 'ipBlock'], ipBlock, complain);
  }
}

/** Nothing but a network without exceptions and problems. */
function isPlainBlock({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeerObject): boolean {
  return !podSelector && !namespaceSelector && !ipBlock?.except?.length && isOrdinaryNetwork(ipBlock?.cidr ?? '');
}

function checkBlock(
  policy: Manifest<unknown>,
  path: JsonPath,
  block: NonNullable<NetworkPolicyPeerObject['ipBlock']>,
  complain: Complain,
): void {
  const cidr = checkNetwork(policy, [...path, 'cidr'], block.cidr, complain);
  for (const [index, text] of (block.except ?? []).entries()) {
    const place = [...path, 'except', index];
    const except = checkNetwork(policy, place, text, complain);
    if (cidr === undefined || except === undefined || isStrictSubnet(except, cidr)) continue;
    complain(policy, { code: 'bad-policy-peer', path: place, message: outsideWords(text, except, cidr) });
  }
}

function outsideWords(text: string, except: Cidr, cidr: Cidr): string {
  return except.text === cidr.text
    ? `${quote(text)} is the whole of cidr, must be a part of it`
    : `${quote(text)} is not a part of cidr ${cidr.text}`;
}
