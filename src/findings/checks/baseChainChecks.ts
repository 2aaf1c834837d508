import { escapeText } from '../../common/escapeText.ts';
import type { Family } from '../../common/family.ts';
import { chainPlace, linesOf } from '../../node/chainLines.ts';
import { isPluginChain, isProxyTable } from '../../node/foreignPrograms.ts';
import type { NodeRules, RuleChain, RuleTable } from '../../node/nodeRules.ts';
import { makeFinding } from '../makeFinding.ts';
import { chainAcceptsPods } from './acceptsPods.ts';
import type { DumpFinding } from './dumpFinding.ts';

/**
 * K8N604: a base chain of another table drops or rejects what is forwarded. A packet must pass every chain of its hook, whatever
 * kube-proxy's own accepts. Beside kube-proxy's nftables mode this also holds for FORWARD of iptables-nft; where
 * kube-proxy writes to that table itself, it is K8N504.
 */
export function baseChainChecks(dump: NodeRules): readonly DumpFinding[] {
  const isNftables = dump.nft.some(({ tables }) => [...tables.keys()].some(isProxyTable));
  const isIptables = dump.iptables.some(({ tables }) => tables.get('nat')?.chains.has('KUBE-SERVICES'));
  const found: DumpFinding[] = [];
  const add = (table: string, chain: RuleChain) => {
    const seen = `the policy of ${escapeText(chain.name)} in the table ${escapeText(table)} is drop: it must let Pods’ packets pass too`;
    found.push({ finding: makeFinding('K8N604', { seen, found: chainPlace(chain) }), about: '' });
  };
  const refuse = (table: string, chain: RuleChain, line: string | undefined) => {
    if (line === undefined) return;
    const seen = `${escapeText(chain.name)} in the table ${escapeText(table)} ends with ${escapeText(line)}: it must let Pods’ packets pass too`;
    found.push({ finding: makeFinding('K8N604', { seen, found: chainPlace(chain) }), about: '' });
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

/** Chains of nft's own tables, without kube-proxy's. */
function* nativeChains({ nft }: NodeRules): Iterable<[string, RuleChain, Chains]> {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      if (isProxyTable(name)) continue;
      for (const chain of chains.values()) yield [name, chain, chains];
    }
  }
}

function dropsForwarded(chain: RuleChain): boolean {
  if (chain.policy !== 'drop' || chain.content?.kind !== 'nftChain') return false;
  const { base } = chain.content.chain;
  return base?.type === 'filter' && base.hook === 'forward' && !chainAcceptsPods(chain, 'ipv4');
}

type Chains = RuleTable['chains'];

/** The refusal of all that is left, at the end of what is forwarded, if no chain that is asked before accepts anything. */
function refusalIn(chain: RuleChain, chains: Chains): string | undefined {
  const [head = '', ...rules] = linesOf(chain);
  const last = rules.at(-1) ?? '';
  if (!head.startsWith('type filter hook forward ') || !/^(?:drop|reject(?: with .*)?)$/.test(last)) return undefined;
  return rules.some((rule) => mayAccept(rule, chains, 0)) ? undefined : last;
}

function mayAccept(rule: string, chains: Chains, depth: number): boolean {
  if (acceptsNew(rule) && !/ct status dnat/.test(rule)) return true;
  const asked = /(?:jump|goto) (\S+)$/.exec(rule)?.[1];
  const inner = asked === undefined ? undefined : chains.get(asked);
  if (asked === undefined) return false;
  return inner === undefined || depth >= deepest || linesOf(inner).some((own) => mayAccept(own, chains, depth + 1));
}

const deepest = 6;

/** The rule accepts connections that begin, and not only those of a device that has nothing to do with Pods. */
function acceptsNew(rule: string): boolean {
  if (isPluginChain(/(?:jump|goto) (\S+)/.exec(rule)?.[1] ?? '')) return true;
  return /(?:^| )accept(?: comment |$)/.test(rule) && !/ct state |[io]if(?:name)? "?(?:lo|docker|br-|virbr)/.test(rule);
}

function dropsSaved(chain: RuleChain, family: Family): boolean {
  return /^drop$/i.test(chain.policy ?? '') && !chainAcceptsPods(chain, family);
}
