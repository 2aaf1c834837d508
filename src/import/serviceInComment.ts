import type { Rule } from '../netfilter/iptables/ast.ts';

/** `namespace/name` that kube-proxy wrote into a rule's comment; undefined: none. */
export function serviceInComment({ words }: Rule): string | undefined {
  for (const word of words) {
    if (word.kind !== 'comment') continue;
    const [, arrow, service] = form.exec(word.text) ?? [];
    if (service !== undefined && arrow !== undefined) return service;
  }
  return undefined;
}

/** Since 1.24 some comments say more in front: `masquerade traffic for shop/web:http external destinations`. */
const form =
  /^((?:[a-zA-Z]+ traffic for |[a-zA-Z]+ LOCAL traffic for )?)([a-z0-9-]+\/[a-z0-9.-]+)(?::[a-z0-9-]*)?(?: |$)/;
