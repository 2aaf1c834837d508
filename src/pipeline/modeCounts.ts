import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { chainsIn } from '../node/chains/chainsIn.ts';
import { linesOf } from '../node/lines/chainLines.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import type { Checked } from './checkObjects.ts';
import { type CompileInput, compileChecked } from './compile.ts';
import { expectedRules } from './expected/expectedRules.ts';

/** How much one mode puts on a node for the same objects, both families together. */
export interface ModeCounts {
  readonly mode: ProxyMode;
  /** Rules of iptables or of nft. */
  readonly rules: number;
  /** Members of ipsets, elements of nft's sets and maps. */
  readonly elements: number;
  readonly virtualServers: number;
  readonly realServers: number;
  /**
   * With how many rules a new connection is compared one by one before its Service is found, at most; 0: it is a
   * look-up.
   */
  readonly compared: number;
}

/** The counts of each mode that the version has. */
export function modeCounts(
  checked: Checked,
  input: Pick<CompileInput, 'target' | 'kubeVersion'>,
): readonly ModeCounts[] {
  return (['iptables', 'ipvs', 'nftables'] as const).flatMap((mode) => {
    const target = { ...input.target, mode };
    const compiled = compileChecked(checked, { ...input, target }, () => undefined);
    return compiled === undefined ? [] : [countsOf(mode, expectedRules(compiled, { hasNfacct: false }).rules)];
  });
}

function countsOf(mode: ProxyMode, { iptables, nft, ipsets, ipvs }: NodeRules): ModeCounts {
  const servers = chainsIn(ipvs);
  const nftChains = chainsIn(nft);
  const dispatch = iptables.map(({ tables }) => linesOf(tables.get('nat')?.chains.get('KUBE-SERVICES')).length);
  return {
    mode,
    rules: sum(chainsIn(iptables), countLines) + sum(nftChains, rulesIn),
    elements: sum(chainsIn(ipsets), membersIn) + sum(nftChains, membersIn),
    virtualServers: servers.length,
    realServers: sum(servers, membersIn),
    compared: modeFacts[mode].findsServicesBy === 'rulesInTurn' ? Math.max(0, ...dispatch) : 0,
  };
}

function sum(chains: readonly RuleChain[], count: (chain: RuleChain) => number): number {
  return chains.reduce((total, chain) => total + count(chain), 0);
}

function countLines(chain: RuleChain): number {
  return linesOf(chain).length;
}

function rulesIn({ content }: RuleChain): number {
  return content?.kind === 'nftChain' ? content.chain.rules.length : 0;
}

function membersIn({ content }: RuleChain): number {
  switch (content?.kind) {
    case 'nftSet':
      return content.set.elements.length;
    case 'ipset':
      return content.set.members.length;
    case 'virtualServer':
      return content.service.servers.length;
    default:
      return 0;
  }
}
