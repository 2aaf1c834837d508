import type { Family } from '../common/addresses/family.ts';
import type { InterfaceName } from '../netfilter/meaning.ts';
import { noConditions } from '../trace/known/noConditions.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { WalkContext } from '../walk/context.ts';
import type { BehaviourSide } from './behaviourSide.ts';
import { type Destination, destinationsOf } from './packets/destinations.ts';
import { interfacesAsked } from './packets/interfacesAsked.ts';
import { portsWithin } from './shape/portsWithin.ts';
import { type Mention, ruleMentions } from './shape/ruleMentions.ts';

/** Two sides, and what is asked of their rules: worked out once, also if a second comparison needs it. */
export interface ComparedPair {
  readonly sides: readonly [BehaviourSide, BehaviourSide];
  /** `one`: only one side shows the family, or a part of it is unknown. */
  readonly familyOf: (family: Family) => ComparedFamily | 'one' | 'none';
}

export interface ComparedFamily {
  readonly contexts: readonly [WalkContext, WalkContext];
  /** For each side; once if both are the same. */
  readonly mentions: readonly (readonly Mention[])[];
  /** Names of interfaces that the rules match. */
  readonly interfaces: readonly InterfaceName[];
  readonly destinations: readonly Destination[];
}

export function comparedPair(a: BehaviourSide, b: BehaviourSide): ComparedPair {
  const made = new Map<Family, ComparedFamily | 'one' | 'none'>();
  return {
    sides: [a, b],
    familyOf: (family) => {
      const known = made.get(family) ?? comparedFamily(family, a, b);
      made.set(family, known);
      return known;
    },
  };
}

function comparedFamily(family: Family, a: BehaviourSide, b: BehaviourSide): ComparedFamily | 'one' | 'none' {
  const [one, other] = [a, b].map(({ tracer }) => tracer.tracerOf(family)) as [Tracer, Tracer];
  const [hasOne, hasOther] = [one, other].map(({ input }) => input.tables.length > 0 || input.ipvs.length > 0);
  if (!hasOne && !hasOther) return 'none';
  if (!hasOne || !hasOther || [a, b].some(({ families }) => families?.includes(family) === false)) return 'one';
  const first = one.context(noConditions);
  const contexts = [first, a === b ? first : other.context(noConditions)] as const;
  const mentions = [...new Set(contexts)].map(ruleMentions);
  return {
    contexts,
    mentions,
    interfaces: contexts.flatMap(interfacesAsked),
    destinations: destinationsOf([...mentions.flat(), ...[...new Set(contexts)].flatMap(portsWithin)], contexts),
  };
}
