import type { RuleChange } from '../compare/ruleChange.ts';
import type { Finding } from '../findings/finding.ts';
import { servicePortInLine } from '../node/servicePortInLine.ts';

/**
 * How many Services a dump has rules for and no manifest names, by findings of K8N202. Services are told apart by the
 * names that rules or their chains bear: all ports and addresses of one are one, and further addresses of a Service that
 * is `known` (`ns/name`) are none. Rules without a name count once for each address, or for each port of all addresses.
 */
export function unknownServices(findings: readonly Finding[], known: ReadonlySet<string>): number {
  const unknown = new Set<string>();
  for (const { id, seen, rules } of findings) {
    if (id !== 'K8N202') continue;
    if (rules === undefined) unknown.add(seen);
    for (const rule of rules ?? []) {
      const name = nameIn(rule);
      if (name === undefined) unknown.add(addressIn(rule) ?? seen);
      else if (!known.has(name)) unknown.add(name);
    }
  }
  return unknown.size;
}

/** `ns/name` of a comment, or of a chain of nftables mode: `service-2QRHZV4L-shop/web/tcp/http`. */
function nameIn({ chain, found = '' }: RuleChange): string | undefined {
  const comment = servicePortInLine(found).replace(/:.*$/, '');
  return comment === '' ? /-[A-Z0-9]{8}-([a-z0-9-]+\/[^/\s]+)\//.exec(`${found} ${chain}`)?.[1] : comment;
}

/** Of iptables, of an element (`10.96.0.1 . tcp . 80 : …`, `tcp . 30080 : …`), of a virtual server (`10.96.0.1:80/tcp`). */
function addressIn({ chain, found = '' }: RuleChange): string | undefined {
  const [, ip, port] = / -d (\S+?)(?:\/\d+)? | --dport (\d+)/.exec(`${found} `) ?? [];
  const [, element, nodePort] = /^([0-9a-f.:]+) \. |^\w+ \. (\d+) :/.exec(found) ?? [];
  return ip ?? port ?? element ?? nodePort ?? /^(.*):\d+\/\w+$/.exec(chain)?.[1];
}
