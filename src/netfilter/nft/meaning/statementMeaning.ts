import type { Branch, Condition, Key, MapElement, NatTarget, RateCondition, Rejection, Step } from '../../meaning.ts';
import { natTarget } from '../../natTarget.ts';
import type {
  ElementStatement,
  LimitStatement,
  MapOperand,
  MatchStatement,
  NatStatement,
  NftElement,
  RejectStatement,
  SetUpdateStatement,
  Verdict,
  VmapStatement,
} from '../ast.ts';
import { dependencies } from '../canonical/dependencies.ts';
import { writeSelector } from '../selector.ts';
import { rejectCodes } from '../values/icmpNames.ts';
import { keyOf, patternOf } from './keyMeaning.ts';
import { matchCondition } from './matchCondition.ts';

/** What the statements of nft ask and do. Each takes the family of its table, which says what is asked besides. */

export function matchMeaning(statement: MatchStatement, family: string): readonly Step[] {
  const asked = dependencies(statement.left, family).map(ask);
  return [...asked, ask(negatedIf(matchCondition(statement), statement.operator === '!='))];
}

export function vmapMeaning({ key, map }: VmapStatement, family: string): readonly Step[] {
  const parts = keyOf(key);
  const found = map.kind === 'namedMap' ? map.name : elementsOf(map.elements, parts, branchOf);
  const step: Step =
    found === undefined
      ? unknown(`vmap of ${writeSelector(key, 'listing')}`)
      : { kind: 'verdictMap', key: parts, map: found };
  return [...dependencies(key, family).map(ask), step];
}

export function verdictMeaning(verdict: Verdict): Branch {
  return 'chain' in verdict ? verdict : { kind: 'verdict', verdict: verdict.kind };
}

/** Of an element of a verdict map. */
export function branchOf({ verdict }: NftElement): Branch | undefined {
  return verdict && verdictMeaning(verdict);
}

/** Of an element of a map that DNAT or SNAT looks into. */
export function targetOf({ value }: NftElement, port?: string): NatTarget | undefined {
  const [address = '', ownPort] = value ?? [];
  const behind = ownPort ?? port;
  const brackets = address.includes(':') ? `[${address}]` : address;
  return natTarget(behind === undefined ? address : `${brackets}:${behind}`);
}

export function natMeaning({ action, address, port, lookup, flags }: NatStatement, family: string): readonly Step[] {
  const half = action === 'dnat' || action === 'redirect' ? 'destination' : 'source';
  const to = action === 'masquerade' || action === 'redirect' ? action : 'address';
  const isRandom = flags.includes('random') || flags.includes('fully-random');
  if (lookup !== undefined) {
    const key = keyOf(lookup.key);
    const elements = natElements(lookup.map, key, lookup.port);
    return elements === undefined
      ? [unknown(`${action} to a map`)]
      : [
          ...dependencies(lookup.key, family).map(ask),
          { kind: 'nat', half, to, target: {}, map: { key, elements }, isRandom },
        ];
  }
  const target = natTarget(address === undefined ? (port === undefined ? '' : `:${port}`) : joined(address, port));
  return [
    target === undefined
      ? unknown(`${action} to ${joined(address ?? '', port)}`)
      : { kind: 'nat', half, to, target, isRandom },
  ];
}

export function rejectMeaning(statement: RejectStatement): Step {
  const [protocol = '', code = ''] = (statement.with ?? 'icmpx port-unreachable').split(' ');
  if (protocol === 'tcp') return { kind: 'reject', rejection: { kind: 'reset' } };
  const rejection = protocol === 'icmpx' ? icmpx.get(code) : icmpOf(protocol, code);
  return rejection === undefined ? unknown(`reject with ${statement.with}`) : { kind: 'reject', rejection };
}

export function setUpdateMeaning(
  { operation, set, key, timeout, statements = [], value }: SetUpdateStatement,
  family: string,
): readonly Step[] {
  const limits = statements.flatMap((statement): readonly RateCondition[] =>
    statement.kind === 'counter' ? [] : (rateOf(statement) ?? []),
  );
  const [given] = value === undefined ? [] : keyOf(value);
  const step: Step = {
    kind: 'remember',
    operation,
    set,
    key: keyOf(key),
    ...(timeout !== undefined && { timeout }),
    ...(limits.length > 0 && { limits }),
    ...(given !== undefined && { value: given }),
  };
  return [...dependencies(key, family).map(ask), ...(value ? dependencies(value, family).map(ask) : []), step];
}

/** What an element asks for itself; undefined: nothing. */
function rateOf(statement: ElementStatement): readonly RateCondition[] | undefined {
  if (statement.kind === 'limit') return [rate(statement)];
  const steps = statement.kind === 'foreign' ? foreignMeaning(statement.text) : undefined;
  return steps?.kind === 'ask' && steps.condition.kind === 'rate' ? [steps.condition] : undefined;
}

export function limitMeaning(statement: LimitStatement): Step {
  return ask(rate(statement));
}

/** Of packets, as many at once as `burst` says; how many bytes a packet has nobody knows. */
function rate({ isOver, rate: count, unit, per, burst = 5 }: LimitStatement): RateCondition {
  const text = `limit rate ${isOver ? 'over ' : ''}${count}/${per}`;
  const length = periods.get(per);
  if (unit !== undefined || length === undefined || count === 0) return { kind: 'rate', text, isOver };
  return { kind: 'rate', text, isOver, bucket: { burst: burst || 5, refill: length / count, by: [] } };
}

/** Milliseconds. */
const periods: ReadonlyMap<string, number> = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
]);

/** `xt match comment` asks nothing; of other statements that nobody here reads it is not known what they do. */
export function foreignMeaning(text: string): Step {
  const limited = /^(?:ct count|quota) (over )?(?:until )?(?:\d+|\d+ [kmg]?bytes(?: used \d+ [kmg]?bytes)?)$/.exec(
    text,
  );
  if (limited !== null) return ask({ kind: 'rate', text, isOver: limited[1] !== undefined });
  const named = /^(?:limit|quota) name/.test(text);
  if (named) return ask({ kind: 'unknown', text });
  const isHarmless = harmless.some((start) => text === start || text.startsWith(`${start} `));
  const goesOn = /\b(?:accept|drop|reject|return|jump|goto|dnat|snat|masquerade|redirect|queue|vmap|tproxy)\b/.test(
    text,
  );
  return isHarmless && !goesOn ? { kind: 'note', text } : unknown(text);
}

const harmless: readonly string[] = [
  'xt match comment',
  'counter name',
  'reset tcp option',
  'last',
  'log',
  'flow add',
  'flow offload',
];

function ask(condition: Condition): Step {
  return { kind: 'ask', condition };
}

function unknown(text: string): Step {
  return { kind: 'unknown', text };
}

function negatedIf(condition: Condition, isNegated: boolean): Condition {
  return isNegated ? { kind: 'not', condition } : condition;
}

function natElements(
  map: MapOperand,
  key: Key,
  port: string | undefined,
): string | readonly MapElement<NatTarget>[] | undefined {
  if (map.kind === 'namedMap') return map.name;
  return elementsOf(map.elements, key, (element) => targetOf(element, port));
}

/** The elements as patterns; undefined: one cannot be read. */
export function elementsOf<T>(
  elements: readonly NftElement[],
  key: Key,
  readValue: (element: NftElement) => T | undefined,
): readonly MapElement<T>[] | undefined {
  const read: MapElement<T>[] = [];
  for (const element of elements) {
    const pattern = element.key.length === 1 && element.key[0] === '*' ? [] : patternOf(element.key, key);
    const value = readValue(element);
    if (pattern === undefined || value === undefined) return undefined;
    read.push({ key: pattern, value });
  }
  return read;
}

function joined(address: string, port: string | undefined): string {
  if (port === undefined) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function icmpOf(protocol: string, code: string): Rejection | undefined {
  const number = rejectCodes[protocol]?.get(code);
  if (number === undefined) return undefined;
  const error = [protocol === 'icmp' ? 3 : 1, number] as const;
  return { kind: 'icmp', v4: error, v6: error };
}

const icmpx: ReadonlyMap<string, Rejection> = new Map([
  ['no-route', { kind: 'icmp', v4: [3, 0], v6: [1, 0] }],
  ['port-unreachable', { kind: 'icmp', v4: [3, 3], v6: [1, 4] }],
  ['host-unreachable', { kind: 'icmp', v4: [3, 1], v6: [1, 3] }],
  ['admin-prohibited', { kind: 'icmp', v4: [3, 13], v6: [1, 1] }],
]);
