import type { Family } from '../common/addresses/family.ts';
import { commentOf } from '../netfilter/iptables/ruleParts.ts';
import { ruleOf } from './rulesOf.ts';

/** The rule by which kube-proxy masquerades; old versions write it into POSTROUTING itself. */
export function isProxySnat(line: string, family: Family): boolean {
  return line.includes(comment) && commentOf(ruleOf(line, family)) === comment;
}

const comment = 'kubernetes service traffic requiring SNAT';
