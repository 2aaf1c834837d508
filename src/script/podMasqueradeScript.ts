import type { Cidr } from '../common/addresses/cidr.ts';
import { podMasqueradeRule, podMasqueradeTable, podMasqueradeTableName } from '../emit/podMasquerade.ts';
import { printRule } from '../netfilter/iptables/print/printRule.ts';
import { heredoc } from './heredoc.ts';
import { noUndo, shellPrelude } from './shellPrelude.ts';

/** A POSIX shell script that lets Pods talk to the outside with their node's address. Run again it changes nothing. */
export function* podMasqueradeScript(pods: readonly Cidr[], usesNft: boolean): Iterable<string> {
  yield shellPrelude("Masquerades traffic from this node's Pods to addresses outside the Pod network.");
  yield noUndo;
  if (usesNft) {
    yield 'need nft\nnft -f - ';
    yield* heredoc(
      pods.map((range) => {
        const name = podMasqueradeTableName(range);
        // The hook stays: a new one beside the old one would let packets pass between them.
        return `${podMasqueradeTable(range)}flush table ${name}\n${podMasqueradeTable(range)}`;
      }),
    );
  } else {
    for (const range of pods) {
      const tool = range.family === 'ipv4' ? 'iptables' : 'ip6tables';
      const rule = printRule(podMasqueradeRule(range), 'save', range.family).replaceAll('"', "'");
      yield `need ${tool}\n${tool} -w 5 -t nat ${rule.replace(/^-A/, '-C')} 2>/dev/null ||\n`;
      yield `  ${tool} -w 5 -t nat ${rule} || fail 'cannot add the rule that masquerades Pods'\n`;
    }
  }
  yield "\ndone=yes\necho 'k8snet: Pods that leave their network are masqueraded' >&2\n";
}
