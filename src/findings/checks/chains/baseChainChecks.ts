import type { Family } from '../../../common/addresses/family.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { NftRule } from '../../../netfilter/nft/ast.ts';
import { chainsNamed } from '../../../netfilter/nft/chainsNamed.ts';
import { isProxyTable } from '../../../netfilter/proxyChains.ts';
import { chainPlace, linesOf } from '../../../node/lines/chainLines.ts';
import { nftRulesOf } from '../../../node/nftItems.ts';
import type { NodeRules, RuleTable } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { chainAcceptsPods, nftRuleAcceptsPods } from '../foreign/acceptsPods.ts';

/**
 * K8N604: a base chain of another table drops or rejects forwarded packets. A packet must pass every chain of its hook,
 * whatever kube-proxy's own chain accepts. If kube-proxy is in nftables mode, this also holds for FORWARD of
 * iptables-nft; if kube-proxy writes to that table itself, it is K8N504.
 */
export function baseChainChecks(dump: NodeRules): readonly DumpFinding[] {
  const isNftables = dump.nft.some(({ tables }) => [...tables.keys()].some(isProxyTable));
  const isIptables = dump.iptables.some(({ tables }) => tables.get('nat')?.chains.has('KUBE-SERVICES'));
  const found: DumpFinding[] = [];
  const add = (table: string, chain: RuleChain) => {
    const seen = `the policy of ${escapeText(chain.name)} in the table ${escapeText(table)} is drop: it must let Pods’ packets pass too`;
    found.push({
      finding: makeFinding('K8N604', { what: seen, found: chainPlace(chain), ...remedy(table, chain) }),
    });
  };
  const refuse = (table: string, chain: RuleChain, line: string | undefined) => {
    if (line === undefined) return;
    const seen = `${escapeText(chain.name)} in the table ${escapeText(table)} ends with ${escapeText(line)}: it must let Pods’ packets pass too`;
    found.push({
      finding: makeFinding('K8N604', { what: seen, found: chainPlace(chain), ...remedy(table, chain) }),
    });
  };
  if (isNftables || isIptables) {
    for (const [table, chain, all] of nativeChains(dump)) {
      if (dropsForwarded(chain)) add(table, chain);
      else refuse(table, chain, refusalIn(chain, all));
    }
  }
  if (isNftables) {
    const saved = dump.iptables.flatMap(({ tables, family }) => {
      const chain = tables.get('filter')?.chains.get('FORWARD');
      return chain === undefined ? [] : [{ chain, family }];
    });
    const listed = dump.chainsListedByNft.flatMap((chain) =>
      chain.name === 'FORWARD' ? [{ chain, family: 'ipv4' as const }] : [],
    );
    // A save shows the same chain, with lines of its own.
    for (const { chain, family } of saved.length > 0 ? saved : listed)
      if (dropsSaved(chain, family)) add('filter', chain);
  }
  return found;
}

/** The command for this chain; names that a shell would interpret are left out. */
function remedy(table: string, { name, content }: RuleChain): { readonly fix?: string } {
  const where = content?.kind === 'nftChain' ? `${content.family} ${table.replace(/^\S+ /, '')} ${name}` : undefined;
  if (where !== undefined && !/^[\w. -]+$/.test(where)) return {};
  const isSaved = where === undefined || /^ip6? filter FORWARD$/.test(where);
  const rule = isSaved
    ? `${where?.startsWith('ip6') ? 'ip6tables' : 'iptables'} -I FORWARD -s POD-RANGE -j ACCEPT\` and the same with -d`
    : `nft insert rule ${where} ip saddr POD-RANGE accept\`, the same with \`daddr\` (of IPv6 \`ip6\`)`;
  return { fix: `Accept the Pods’ traffic there too, and in the program that wrote it: \`${rule}.` };
}

/** Chains of nft's own tables, except kube-proxy's. */
function* nativeChains({ nft }: NodeRules): Iterable<[string, RuleChain, Chains]> {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      if (isProxyTable(name)) continue;
      for (const chain of chains.values()) yield [name, chain, chains];
    }
  }
}

function dropsForwarded(chain: RuleChain): boolean {
  return chain.policy === 'drop' && isForwarding(chain) && !chainAcceptsPods(chain, 'ipv4');
}

function isForwarding({ content }: RuleChain): boolean {
  if (content?.kind !== 'nftChain') return false;
  const { base } = content.chain;
  return base?.type === 'filter' && base.hook === 'forward';
}

type Chains = RuleTable['chains'];

/** The final rejection of forwarded packets, if no chain before it accepts anything. */
function refusalIn(chain: RuleChain, chains: Chains): string | undefined {
  const last = isForwarding(chain) ? nftRulesOf(chain).at(-1) : undefined;
  if (last === undefined || !refusesAll(last.item)) return undefined;
  return mayAccept(chain, chains, new Set()) ? undefined : linesOf(chain)[last.at];
}

function refusesAll({ statements }: NftRule): boolean {
  const [only, ...others] = statements.filter(({ kind }) => kind !== 'counter');
  if (others.length > 0) return false;
  return only?.kind === 'reject' || (only?.kind === 'verdict' && only.verdict.kind === 'drop');
}

/** A chain that the dump does not show may accept. `asked`: the chains that were checked; each is checked once. */
function mayAccept(chain: RuleChain | undefined, chains: Chains, asked: Set<string>): boolean {
  if (chain?.content?.kind !== 'nftChain') return true;
  const { family } = chain.content;
  return nftRulesOf(chain).some(({ item }) => {
    if (nftRuleAcceptsPods(item, family)) return true;
    return item.statements.flatMap(chainsNamed).some((name) => {
      if (asked.has(name)) return false;
      asked.add(name);
      return mayAccept(chains.get(name), chains, asked);
    });
  });
}

function dropsSaved(chain: RuleChain, family: Family): boolean {
  return chain.policy?.toLowerCase() === 'drop' && !chainAcceptsPods(chain, family);
}
