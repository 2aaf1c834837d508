import type { Value } from '../common/ranges/valueRange.ts';
import { and } from './addressRanges.ts';
import type { Condition, ConnectionState, ConnectionStatus, Field, InterfaceName, RouteType, Step } from './meaning.ts';

/** What is known of a packet that a rule may be for; of what is left out nothing is. */
export interface KnownPacket {
  readonly values?: { readonly [field in Field]?: Value };
  readonly state?: ConnectionState;
  /** Its connection has the addresses that it began with. */
  readonly isTranslated?: false;
  /** What its destination is not. */
  readonly isNotTo?: RouteType;
  /** It passes no interface of this name. */
  readonly avoids?: (name: InterfaceName) => boolean;
}

/** Some packet of which this is known meets all that a rule asks. */
export function canMatch(steps: readonly Step[], packet: KnownPacket): boolean {
  return steps.every((step) => step.kind !== 'ask' || holds(step.condition, packet) !== false);
}

/** Undefined: for some packets. */
function holds(condition: Condition, packet: KnownPacket): boolean | undefined {
  switch (condition.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'not':
      return opposite(holds(condition.condition, packet));
    case 'all':
      return opposite(anyHolds(condition.conditions, (one) => opposite(holds(one, packet))));
    case 'any':
      return anyHolds(condition.conditions, (one) => holds(one, packet));
    case 'values':
      return valueHolds(condition, packet.values?.[condition.field]);
    case 'state':
      return packet.state === undefined ? undefined : condition.states.includes(packet.state);
    case 'status':
      return packet.isTranslated === false && condition.statuses.every(isOfTranslation) ? false : undefined;
    case 'interface':
      return packet.avoids !== undefined && condition.names.every(packet.avoids) ? false : undefined;
    case 'addressType': {
      const isKnown = condition.side === 'destination' && condition.types.every((type) => type === packet.isNotTo);
      return isKnown ? false : undefined;
    }
    default:
      return undefined;
  }
}

function isOfTranslation(status: ConnectionStatus): boolean {
  return status === 'dnat' || status === 'snat';
}

function opposite(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}

function anyHolds(
  conditions: readonly Condition[],
  ask: (condition: Condition) => boolean | undefined,
): boolean | undefined {
  let answer: boolean | undefined = false;
  for (const condition of conditions) {
    const own = ask(condition);
    if (own === true) return true;
    if (own === undefined) answer = undefined;
  }
  return answer;
}

function valueHolds(
  { mask, ranges, isOutside }: Extract<Condition, { kind: 'values' }>,
  value: Value | undefined,
): boolean | undefined {
  if (value === undefined) return undefined;
  const seen = mask === undefined ? value : and(value, mask);
  // A rule of the other family's addresses: never.
  if (typeof ranges[0]?.first !== typeof seen) return false;
  return ranges.some(({ first, last }) => first <= seen && seen <= last) !== (isOutside === true);
}
