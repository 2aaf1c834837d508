import { escapeText } from '../../../common/text/escapeText.ts';
import { chainPlace } from '../../../node/lines/chainLines.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/** K8N110: tables that somebody cut; missing things in them prove nothing. */
export function cutChecks({ iptables, nft }: NodeRules): readonly DumpFinding[] {
  return [...iptables, ...nft].flatMap(({ kind, family, tables }) =>
    [...tables.values()].flatMap(({ name, cut, isUnfinished, hasLostLines, chains }) => {
      if (cut === undefined) return [];
      const [first] = chains.values();
      const table = kind === 'nftables' ? escapeText(name) : `${escapeText(name)} of ${family}`;
      const seen = `the table ${table} is cut: ${escapeText(cut)}; what is not in it may well be on the node`;
      const found = first ? chainPlace(first) : [];
      const isDamaged = hasLostLines && !isUnfinished;
      const how = { ...(kind === 'nftables' && ofNft), ...(isDamaged && ofUnreadLines) };
      return { finding: makeFinding('K8N110', { what: seen, found, ...how }) };
    }),
  );
}

const ofUnreadLines = {
  why: 'The lines are damaged, say by an editor or a terminal that breaks lines, or they hold what k8snet does not know. Any rule may be in them: k8snet draws no conclusions from what such a table lacks.',
};

const ofNft = {
  why: 'Only part of the output was saved or pasted; `nft list chain` and `nft list map` print a piece as if it were the table. kube-proxy’s table has several base chains, sets and maps, and no kernel has rules that lead to missing ones. k8snet draws no conclusions from what such a table lacks.',
  fix: 'Save the whole output to a file: `nft list ruleset > node1.nft`; `k8snet collect` prints all commands.',
};
