import { runIn } from '../../src/lab/runIn.ts';
import type { Dice } from '../kernel/walk/dice.ts';
import type { ProxyNode } from './openCluster.ts';

/** Damages what kube-proxy wrote on a node, and says how; undefined: there is nothing that Services need. */
export async function plantFault({ mode, namespace }: ProxyNode, dice: Dice): Promise<string | undefined> {
  if (mode === 'iptables') {
    const save = await runIn(namespace, ['iptables-save', '-t', 'nat']);
    const rules = save
      .split('\n')
      .filter((line) => /^-A KUBE-(?:SERVICES|SVC|SVL|SEP|EXT|FW)/.test(line) && line.includes('/'));
    if (rules.length === 0) return undefined;
    const rule = dice.pick(rules);
    // By its number: rules that count with nfacct are not found by their text.
    const [, chain = ''] = rule.split(' ');
    const number =
      1 +
      save
        .split('\n')
        .filter((line) => line.startsWith(`-A ${chain} `))
        .indexOf(rule);
    await runIn(namespace, ['iptables', '-w', '-t', 'nat', '-D', chain, String(number)]);
    return `deleted ${rule}`;
  }
  const listing = JSON.parse(await runIn(namespace, ['nft', '-j', 'list', 'table', 'ip', 'kube-proxy'])) as Listing;
  const objects = listing.nftables;
  const chains = objects.flatMap(({ rule }) => (rule && /^(?:service|local|external)-/.test(rule.chain) ? rule : []));
  const elements = objects.flatMap(({ map }) => (map?.name === 'service-ips' ? (map.elem ?? []) : []));
  if (chains.length > 0 && (elements.length === 0 || dice.percent(50))) {
    const { chain, handle } = dice.pick(chains);
    await runIn(namespace, ['nft', 'delete', 'rule', 'ip', 'kube-proxy', chain, 'handle', String(handle)]);
    return `deleted a rule of ${chain}`;
  }
  if (elements.length === 0) return undefined;
  const [key] = dice.pick(elements);
  const text = (
    typeof key === 'object' && 'concat' in key
      ? key.concat
      : (key as { readonly elem: { readonly val: { readonly concat: readonly unknown[] } } }).elem.val.concat
  ).join(' . ');
  await runIn(namespace, ['nft', '-f', '-'], `delete element ip kube-proxy service-ips { ${text} }\n`);
  return `deleted ${text} from service-ips`;
}

interface Listing {
  readonly nftables: readonly {
    readonly rule?: { readonly chain: string; readonly handle: number };
    readonly map?: { readonly name: string; readonly elem?: readonly (readonly [ElementKey, unknown])[] };
  }[];
}

type ElementKey =
  | { readonly concat: readonly unknown[] }
  | { readonly elem: { readonly val: { readonly concat: readonly unknown[] } } };
