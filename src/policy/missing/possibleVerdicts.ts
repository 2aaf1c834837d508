import { pushAll } from '../../common/pushAll.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { NetPolicy } from '../../model/netPolicy.ts';
import type { ClusterRuleMatch, SideVerdict } from '../sideVerdict.ts';
import { distinctFacts, type MissingFact } from './missingFact.ts';

/** All that one side may say: more than one where facts are missing, or where the API leaves it open. */
export interface PossibleVerdicts {
  readonly verdicts: readonly SideVerdict[];
  readonly ties: readonly (readonly ClusterRuleMatch[])[];
  readonly doubts: readonly Doubt[];
}

/** Policies that hang on what the input does not show. */
export interface Doubt {
  readonly policies: readonly (NetPolicy | ClusterPolicy)[];
  readonly facts: () => readonly MissingFact[];
}

export function possible(...verdicts: readonly SideVerdict[]): PossibleVerdicts {
  return { verdicts, ties: [], doubts: [] };
}

export function joinPossible(parts: readonly PossibleVerdicts[]): PossibleVerdicts {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return {
    verdicts: parts.flatMap(({ verdicts }) => verdicts),
    ties: [...new Set(parts.flatMap(({ ties }) => ties))],
    doubts: [...new Set(parts.flatMap(({ doubts }) => doubts))],
  };
}

/** What is sure, whichever of them holds. */
export function settle({ verdicts, ties, doubts }: PossibleVerdicts): SideVerdict {
  const [first] = verdicts;
  const isSure = verdicts.every(({ kind }) => kind === first?.kind && kind !== 'unknown');
  if (first !== undefined && isSure) {
    const isByChance = doubts.length > 0 && verdicts.length > 1;
    return isByChance && first.kind === 'allowed' ? { kind: 'allowed', why: 'anyway' } : first;
  }
  const policies: (NetPolicy | ClusterPolicy)[] = [];
  const facts: MissingFact[] = [];
  for (const doubt of doubts) {
    pushAll(policies, doubt.policies);
    pushAll(facts, doubt.facts());
  }
  for (const verdict of verdicts) {
    if (verdict.kind !== 'unknown') continue;
    pushAll(policies, verdict.policies);
    pushAll(facts, verdict.facts);
  }
  return { kind: 'unknown', policies: [...new Set(policies)], facts: distinctFacts(facts), ties };
}
