import { type ServiceChainKind, serviceChainKind } from '../netfilter/proxyChains.ts';
import type { RuleChain } from '../node/ruleChain.ts';

/**
 * Two texts show a Service's chain in ways that exclude each other on one node: each ends it with a different rule, or
 * leads to an endpoint in a different way. They come from two nodes, or from before and after a change. Chains are
 * still being read here, so nothing about them may be remembered.
 */
export function contradicts(one: RuleChain, other: RuleChain): boolean {
  const known = new Set(one.text.split('\n'));
  const shown = new Set(other.text.split('\n'));
  const lost = [...known].filter((line) => !shown.has(line));
  const added = [...shown].filter((line) => !known.has(line));
  if (lost.length === 0 || added.length === 0) return false;
  if (lost.some(endsLadder) && added.some(endsLadder)) return true;
  const targets = new Set(lost.flatMap((line) => endpointIn(line) ?? []));
  return added.some((line) => targets.has(endpointIn(line) ?? ''));
}

function endpointIn(line: string): string | undefined {
  const target = / -j (\S+)$/.exec(line)?.[1];
  return target !== undefined && serviceChainKind(target) === 'endpoint' ? target : undefined;
}

/** No packet gets past it. */
function endsLadder(line: string): boolean {
  const words = line.replace(/ -m comment --comment (?:"(?:[^"\\]|\\.)*"|\S+)/, '');
  const target = /^-A \S+ -j (\S+)$/.exec(words)?.[1];
  return target !== undefined && (drops.has(target) || takesAll.has(serviceChainKind(target)));
}

const drops: ReadonlySet<string> = new Set(['KUBE-MARK-DROP', 'DROP']);

const takesAll: ReadonlySet<ServiceChainKind | undefined> = new Set(['balance', 'endpoint', 'localBalance'] as const);
