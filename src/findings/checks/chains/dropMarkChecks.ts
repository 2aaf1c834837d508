import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { placeOf } from '../../../node/lines/chainLines.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { DumpFinding } from '../dumpFinding.ts';

/**
 * K8N412: KUBE-FIREWALL drops more packets by their mark than rules of the dump have marked. Only counters show it, as
 * `iptables-save -c` prints them.
 */
export function* dropMarkChecks(set: ToolRules): Iterable<DumpFinding> {
  const firewall = set.tables.get('filter')?.chains.get('KUBE-FIREWALL');
  const nat = set.tables.get('nat');
  if (firewall?.packets === undefined || !(nat?.isWhole || nat?.chains.has('KUBE-MARK-DROP'))) return;
  for (const [at, rule] of rulesOf(firewall, set.family).entries()) {
    const bit = droppedMark(rule);
    const dropped = firewall.packets[at] ?? 0;
    if (bit === undefined || dropped === 0) continue;
    const marked = markedBy(set, bit);
    // Every marked packet of a connection is dropped, so none is counted in only one place.
    if (marked === undefined || marked * 2 >= dropped) continue;
    const told = marked === 0 ? 'no rule of the dump has set it' : `rules of the dump have set it on ${marked}`;
    const seen = `KUBE-FIREWALL has dropped ${dropped} ${dropped === 1 ? 'packet' : 'packets'} with the mark 0x${bit.toString(16)}, and ${told}`;
    yield { finding: makeFinding('K8N412', { what: seen, found: [placeOf(firewall, at)] }) };
  }
}

function droppedMark({ words, target }: Rule): number | undefined {
  if (target?.kind !== 'jump' || target.chain !== 'DROP') return undefined;
  const mark = words.find((word) => word.kind === 'mark');
  return mark?.kind === 'mark' && !mark.negated ? mark.value >>> 0 : undefined;
}

/** Packets that got the bit; undefined: a rule that sets it has no counter. */
function markedBy({ tables, family }: ToolRules, bit: number): number | undefined {
  let sum = 0;
  for (const { chains } of tables.values()) {
    for (const chain of chains.values()) {
      for (const { rule, at } of pickRules(chain, family, { holds: ['MARK'] })) {
        if (!setsBit(rule, bit)) continue;
        const packets = countOf(chain, at);
        if (packets === undefined) return undefined;
        sum += packets;
      }
    }
  }
  return sum;
}

function countOf(chain: RuleChain, at: number): number | undefined {
  return chain.packets?.[at];
}

/** A mark that is restored from the connection may be anything. */
function setsBit({ target }: Rule, bit: number): boolean {
  if (target?.kind === 'mark') return (target.value & bit) !== 0;
  return (
    target?.kind === 'other' && target.name === 'CONNMARK' && target.options.some(({ name }) => name === 'restore-mark')
  );
}
