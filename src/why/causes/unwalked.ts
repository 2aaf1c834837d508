import { foreignOwner } from '../../node/programs/foreignPrograms.ts';
import { arrives } from '../../trace/traceResult.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import type { CauseDraft } from '../cause.ts';
import { ruleEvidence } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/**
 * Chains of a network plug-in that were left out because they match interfaces of Pods that nothing shows: they may
 * decide differently.
 */
export function unwalked({ result }: WhyQuestion): CauseDraft | undefined {
  const ends = result.outcomes.map(({ first }) => (arrives(first.end) ? 'drop' : 'accept'));
  const [rule] = [...result.notes.unseenInterfaces].filter((one) => ends.some((end) => mayEnd(one, end)));
  if (rule === undefined) return undefined;
  const program = programOf(rule);
  return {
    code: 'network-policy',
    what: `${program}'s rules decide about this packet by the interface of its Pod, which was not given: whether they let it pass is unknown.`,
    evidence: [ruleEvidence(rule)],
    fix: 'Give what shows the interfaces of Pods: `--routes FILE` with `ip route show table all`, `--addresses FILE` with `ip addr`. `k8snet collect` prints all commands.',
    isUnknown: true,
  };
}

function programOf({ chain, steps }: WalkRule): string {
  const names = [
    chain.name,
    ...steps.flatMap((step) => (step.kind === 'jump' || step.kind === 'goto' ? [step.chain] : [])),
  ];
  const owner = names.map((name) => foreignOwner(name)).find((name) => name !== undefined);
  return owner === undefined ? `The chain ${chain.name}` : `${owner[0]?.toUpperCase()}${owner.slice(1)}`;
}

/** The rule, or a chain that it leads to, can end the packet's way like this. */
function mayEnd(rule: WalkRule, end: 'drop' | 'accept', seen = new Set<WalkChain>()): boolean {
  return rule.steps.some((step) => {
    switch (step.kind) {
      case 'verdict':
        return step.verdict === end;
      case 'reject':
        return end === 'drop';
      case 'jump':
      case 'goto':
        return chainMayEnd(rule.chain.table.chains.get(step.chain), end, seen);
      case 'verdictMap':
        // A map leads to chains of Pods, which decide.
        return true;
      default:
        return false;
    }
  });
}

function chainMayEnd(chain: WalkChain | undefined, end: 'drop' | 'accept', seen: Set<WalkChain>): boolean {
  if (chain === undefined || seen.has(chain)) return false;
  seen.add(chain);
  return chain.rules().some((rule) => mayEnd(rule, end, seen));
}
