import type { Branch, Condition, Key, MapElement, NatTarget, Rejection, Step } from '../meaning.ts';
import { natTarget } from '../natTarget.ts';
import type {
  AssignStatement,
  LimitStatement,
  MapOperand,
  MatchStatement,
  NatStatement,
  NftElement,
  RejectStatement,
  Selector,
  SetUpdateStatement,
  Verdict,
  VmapStatement,
} from './ast.ts';
import { rejectCodes } from './icmpNames.ts';
import { dependencies, keyOf, patternOf } from './keyMeaning.ts';
import { matchCondition } from './matchCondition.ts';
import { writeSelector } from './selector.ts';

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

export function assignMeaning(statement: AssignStatement, family: string): readonly Step[] {
  const { source, target, operation } = statement;
  const from = source ?? (operation === '=' ? undefined : target);
  return [...(from === undefined ? [] : dependencies(from, family).map(ask)), assignment(statement)];
}

function assignment({ target, source, operation, value = '' }: AssignStatement): Step {
  const to = markOf(target);
  const from = source === undefined ? to : markOf(source);
  const bits = Number(value);
  if (to === undefined) return { kind: 'note', text: `${writeSelector(target, 'listing')} set` };
  if (from === undefined || !Number.isInteger(bits)) return unknown(`${writeSelector(target, 'listing')} set`);
  const flip = bits >>> 0;
  if (operation === '=') return { kind: 'assign', target: to, keep: 0, take: 0, flip };
  const left = operation === '|' ? ~flip >>> 0 : operation === '&' ? flip : 0xffffffff;
  const changed = operation === '&' ? 0 : flip;
  return from === to
    ? { kind: 'assign', target: to, keep: left, take: 0, flip: changed }
    : { kind: 'assign', target: to, keep: 0, source: from, take: left, flip: changed };
}

export function setUpdateMeaning(
  { operation, set, key, timeout }: SetUpdateStatement,
  family: string,
): readonly Step[] {
  const step: Step = {
    kind: 'remember',
    operation,
    set,
    key: keyOf(key),
    ...(timeout !== undefined && { timeout }),
  };
  return [...dependencies(key, family).map(ask), step];
}

export function limitMeaning({ isOver, rate, per }: LimitStatement): Step {
  return ask({ kind: 'rate', text: `limit rate ${isOver ? 'over ' : ''}${rate}/${per}`, isOver });
}

/** `xt match comment` asks nothing; of other statements that nobody here reads it is not known what they do. */
export function foreignMeaning(text: string): Step {
  const limited = /^(?:ct count|quota) (over )?(?:until )?(?:\d+|\d+ [kmg]?bytes(?: used \d+ [kmg]?bytes)?)$/.exec(
    text,
  );
  if (limited !== null) return ask({ kind: 'rate', text, isOver: limited[1] !== undefined });
  const isHarmless = harmless.some((start) => text === start || text.startsWith(`${start} `));
  const goesOn = /\b(?:accept|drop|reject|return|jump|goto|dnat|snat|masquerade|redirect|queue|vmap|tproxy)\b/.test(
    text,
  );
  return isHarmless && !goesOn ? { kind: 'note', text } : unknown(text);
}

const harmless: readonly string[] = [
  'xt match comment',
  'counter name',
  'meta nftrace set',
  'meta priority set',
  'tcp option',
  'ct helper set',
  'log',
  'quota name',
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
function elementsOf<T>(
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

function markOf(selector: Selector): 'mark' | 'connectionMark' | undefined {
  if (selector.kind === 'meta' && selector.key === 'mark') return 'mark';
  return selector.kind === 'ct' && selector.key === 'mark' ? 'connectionMark' : undefined;
}
