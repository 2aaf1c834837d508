import { escapeText } from '../../common/escapeText.ts';
import { chainPlace, linesOf } from '../../node/chainLines.ts';
import { isPluginChain, isProxyTable } from '../../node/foreignPrograms.ts';
import type { NodeRules, RuleChain } from '../../node/nodeRules.ts';
import { targetName } from '../../node/rulesOf.ts';
import { makeFinding } from '../makeFinding.ts';
import type { DumpFinding } from './dumpFinding.ts';

/**
 * K8N604: a base chain of another table drops what is forwarded. A packet must pass every chain of its hook, whatever
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
  if (isNftables || isIptables) {
    for (const [table, chain] of nativeChains(dump)) if (dropsForwarded(chain)) add(table, chain);
  }
  if (isNftables) {
    const saved = dump.iptables.map((set) => set.tables.get('filter'));
    const inSaves = saved.flatMap((table) => table?.chains.get('FORWARD') ?? []);
    const listed = dump.chainsListedByNft.filter(({ name }) => name === 'FORWARD');
    // A save shows the same chain, with lines of its own.
    for (const chain of inSaves.length > 0 ? inSaves : listed) if (dropsSaved(chain)) add('filter', chain);
  }
  return found;
}

/** Chains of nft's own tables, without kube-proxy's. */
function* nativeChains({ nft }: NodeRules): Iterable<[string, RuleChain]> {
  for (const { tables } of nft) {
    for (const { name, chains } of tables.values()) {
      if (isProxyTable(name)) continue;
      for (const chain of chains.values()) yield [name, chain];
    }
  }
}

function dropsForwarded(chain: RuleChain): boolean {
  if (chain.policy !== 'drop') return false;
  const [head = '', ...rules] = linesOf(chain);
  return head.startsWith('type filter hook forward ') && !rules.some(acceptsNew);
}

/** The rule accepts connections that begin, and not only those of a device that has nothing to do with Pods. */
function acceptsNew(rule: string): boolean {
  if (isPluginChain(/(?:jump|goto) (\S+)/.exec(rule)?.[1] ?? '')) return true;
  return /(?:^| )accept(?: comment |$)/.test(rule) && !/ct state |[io]if(?:name)? "?(?:lo|docker|br-|virbr)/.test(rule);
}

function dropsSaved(chain: RuleChain): boolean {
  return /^drop$/i.test(chain.policy ?? '') && !linesOf(chain).some(acceptsNewSaved);
}

function acceptsNewSaved(line: string): boolean {
  const target = targetName(line);
  if (target === 'ACCEPT') return !/ -[io] (?:lo|docker|br-|virbr)| --(?:ct)?state /.test(line);
  return isPluginChain(target) || acceptsNew(line);
}
