import { base32Prefix } from '../common/base32.ts';
import { chainPrefixes } from '../netfilter/proxyChains.ts';
import type { Redaction } from './redaction.ts';
import { redactEndpoint, redactServicePort } from './redactWords.ts';

/**
 * The hashes in names of kube-proxy's chains, and those of the same chains under the new names: they are made of the Service
 * port, the protocol and the endpoint, which the rules of a dump show beside them.
 */
export function learnChainHashes(dumps: readonly string[], redaction: Redaction): void {
  for (const text of dumps) {
    if (!text.includes('KUBE-')) continue;
    for (const line of text.split('\n')) {
      const [, port = ''] = servicePort.exec(line) ?? [];
      const [, protocol = ''] = / -p (\w+)/.exec(line) ?? [];
      if (port === '') continue;
      const [, endpoint = ''] = /--to-destination (\S+)/.exec(line) ?? [];
      for (const one of protocol === '' ? ['tcp', 'udp', 'sctp'] : [protocol]) {
        learn(port + one, redactServicePort(port, redaction) + one, redaction);
        if (endpoint !== '')
          learn(
            port + one + endpoint,
            redactServicePort(port, redaction) + one + redactEndpoint(endpoint, redaction),
            redaction,
          );
      }
    }
  }
}

/** Hashes in names of kube-router's sets, which are made of a policy's name, and of the direction and number of its rule. */
export function learnPolicyHashes(items: readonly Tree[], redaction: Redaction): void {
  const { names } = redaction;
  for (const { kind, metadata, spec } of items) {
    const { namespace = 'default', name = '' } = (metadata ?? {}) as Readonly<Record<string, string>>;
    if (kind !== 'NetworkPolicy') continue;
    const before = namespace + name;
    const after = names.of(namespace, 'ns') + names.of(name, 'policy');
    for (const family of ['IPv4', 'IPv6']) {
      learn(before + family, after + family, redaction);
      for (const rest of ruleWords(spec, family)) learn(before + rest, after + rest, redaction);
    }
  }
}

function* ruleWords(spec: unknown, family: string): Iterable<string> {
  for (const direction of ['ingress', 'egress']) {
    const rules = ((spec ?? {}) as Tree)[direction];
    for (const [at, rule] of (Array.isArray(rules) ? rules : []).entries()) {
      for (const kind of ['pod', 'ipblock']) yield `${direction}rule${at}${family}${kind}`;
      const { ports } = (rule ?? {}) as Tree;
      for (const [number] of (Array.isArray(ports) ? ports : []).entries())
        yield `${direction}rule${at}${number}${family}namedport`;
    }
  }
}

type Tree = Readonly<Record<string, unknown>>;

function learn(before: string, after: string, { hashes }: Redaction): void {
  const hash = base32Prefix(before, 16);
  if (!hashes.has(hash)) hashes.set(hash, base32Prefix(after, 16));
}

const servicePort = /--comment "?([a-z0-9-]+\/[a-z0-9.-]+(?::[a-zA-Z0-9-]*)?)/;

/** `KUBE-SVC-` and the like, with the hash; others of this form, such as those of network policies, get a hash that says nothing. */
export const hashedChain = new RegExp(
  `(${Object.values(chainPrefixes).join('|')}|KUBE-[A-Z]+(?:-[A-Z]+)?-)([A-Z2-7]{16})(?![A-Z0-9])`,
);
