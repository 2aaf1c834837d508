import type { Family } from '../common/addresses/family.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import { isProxyChain, isProxyTable } from '../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { proxySeen } from '../seen/proxySeen.ts';

/** What a dump lacks of a family, although kube-proxy must have written it. */
export interface NotShown {
  readonly family: Family;
  readonly part: 'filter' | 'nat' | 'iptables' | 'nft' | 'ipvs';
}

/**
 * Parts that were not given: a program was not run, prints one table or family only, or its output ends between two tables. If the
 * dump shows no mode, it is that of the expected rules.
 */
export function partsNotShown(expected: NodeRules, dump: NodeRules): readonly NotShown[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family): readonly NotShown[] => {
    const part = lackingOf(family, expected, dump);
    return part === undefined ? [] : [{ family, part }];
  });
}

/** What is not compared for lack of them, a sentence each. `asked`: the families that Services have. */
export function notShownNotes(notShown: readonly NotShown[], asked: readonly Family[]): readonly string[] {
  const lacking = notShown.filter(({ family }) => asked.includes(family));
  return (['ipvs', 'nft', 'iptables', 'nat', 'filter'] as const).flatMap((part): readonly string[] => {
    const families = lacking.flatMap((one) => (one.part === part ? one.family : [])).join(' and ');
    return families === ''
      ? []
      : [`${partWords[part](families)}: ${part === 'filter' ? 'it' : families} is not compared`];
  });
}

const partWords: Readonly<Record<NotShown['part'], (families: string) => string>> = {
  ipvs: () => 'what ipvsadm -Sn prints was not given',
  nft: (families) => `rules of nft for ${families} were not given`,
  iptables: (families) => `rules of iptables for ${families} were not given`,
  nat: (families) => `the table nat of ${families} is not in the dump`,
  filter: (families) => `the table filter of ${families} is not in the dump`,
};

function lackingOf(family: Family, expected: NodeRules, dump: NodeRules): NotShown['part'] | undefined {
  const { modes } = proxySeen(dump);
  const facts = modes.map((mode) => modeFacts[mode]);
  if (dump.ipvs.length === 0 && facts.some(({ usesIpvs }) => usesIpvs)) return 'ipvs';
  const isInNft = modes.length === 0 ? expected.nft.length > 0 : facts.some(({ rulesIn }) => rulesIn === 'nftables');
  if (isInNft) return lackingOfNft(family, dump);
  const own = dump.iptables.filter((rules) => rules.family === family);
  if (own.length === 0) return 'iptables';
  const lacking = (['nat', 'filter'] as const).filter((name) => !own.some(({ tables }) => tables.has(name)));
  // Wherever kube-proxy has a chain, it has some in both tables.
  return lacking.length === 2 || own.some(hasProxyChain) ? lacking[0] : undefined;
}

/** A ruleset shows both families, and `nft list table` one. Where kube-proxy has no table at all, that is what is wrong. */
function lackingOfNft(family: Family, { nft }: NodeRules): 'nft' | undefined {
  const isProxyOf = (rules: ToolRules) => [...rules.tables.values()].some(({ name }) => isProxyTable(name));
  const own = nft.filter(isProxyOf);
  const isShown = own.length === 0 ? nft.length > 0 : own.some((rules) => rules.family === family);
  return isShown ? undefined : 'nft';
}

function hasProxyChain({ tables }: ToolRules): boolean {
  for (const { chains } of tables.values()) for (const name of chains.keys()) if (isProxyChain(name)) return true;
  return false;
}
