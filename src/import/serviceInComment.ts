import type { Rule } from '../netfilter/iptables/ast.ts';
import { readServicePortName } from '../node/readServicePortName.ts';

/** `namespace/name` that kube-proxy wrote into a rule's comment; undefined: none. */
export function serviceInComment({ words }: Rule): string | undefined {
  for (const word of words) {
    if (word.kind !== 'comment') continue;
    const [name = ''] = word.text.replace(purpose, '').split(' ', 1);
    const named = readServicePortName(name);
    if (named !== undefined) return named.service;
  }
  return undefined;
}

/** Since 1.24 some comments say more in front: `masquerade traffic for shop/web:http external destinations`. */
const purpose = /^[a-zA-Z]+ (?:LOCAL )?traffic for /;
