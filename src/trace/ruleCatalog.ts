import type { Branch, Condition, Step, Value } from '../netfilter/meaning.ts';
import { patternOf } from '../netfilter/nft/keyMeaning.ts';
import { branchOf } from '../netfilter/nft/statementMeaning.ts';
import { isHashedServiceChain } from '../netfilter/proxyChains.ts';
import { nftServiceName } from '../node/nftServiceName.ts';
import { endText } from '../walk/text.ts';
import type { WalkChain, WalkInput, WalkRule } from '../walk/walkInput.ts';
import { servicePortInComment } from './servicePortInComment.ts';

/** Everything that rules say of Services, by what a person may have before him: chains, addresses, ports, marks. */
export interface RuleCatalog {
  readonly chains: readonly CatalogChain[];
  readonly entrances: readonly CatalogEntrance[];
  readonly marks: readonly MarkUse[];
  readonly setUses: ReadonlyMap<string, readonly WalkRule[]>;
  readonly chances: readonly { readonly share: number; readonly whole: number; readonly rule: WalkRule }[];
}

export interface CatalogChain {
  readonly chain: WalkChain;
  readonly service: string | undefined;
  /** Where its DNAT rules send packets. */
  readonly targets: readonly string[];
  /** Chains that its rules lead to. */
  readonly leadsTo: readonly string[];
  readonly callers: readonly WalkRule[];
}

/** A way into a Service: an address and port, or a node port. */
export interface CatalogEntrance {
  readonly address: Value | undefined;
  readonly protocol: number | undefined;
  readonly port: number | undefined;
  /** Empty: the rule itself refuses or drops. */
  readonly chain: string;
  /** The rule's comment: `shop/web:http cluster IP`. */
  readonly comment: string | undefined;
  readonly rule: WalkRule | undefined;
  readonly service: string | undefined;
}

export interface MarkUse {
  readonly rule: WalkRule;
  readonly bits: number;
  readonly use: 'sets' | 'asks';
}

export function ruleCatalog(input: WalkInput): RuleCatalog {
  const chains = new Map<WalkChain, Draft>();
  const callers = new Map<WalkChain, WalkRule[]>();
  const entrances: CatalogEntrance[] = [];
  // What only marks a packet leads nowhere.
  const marking = new Set<string>();
  const marks: MarkUse[] = [];
  const setUses = new Map<string, WalkRule[]>();
  const chances: { share: number; whole: number; rule: WalkRule }[] = [];
  for (const table of input.tables) {
    for (const chain of table.chains.values()) {
      const draft: Draft = { services: [], targets: [], leadsTo: [] };
      chains.set(chain, draft);
      const rules = chain.rules();
      if (
        rules.some(({ steps }) => steps.length > 0) &&
        rules.every(({ steps }) => steps.every(({ kind }) => kind === 'assign'))
      ) {
        marking.add(chain.name);
      }
      for (const rule of rules) {
        const service = servicePortInComment(rule.comment);
        if (service !== undefined) draft.services.push(service);
        const call = (to: string, isFound = true) => {
          draft.leadsTo.push(to);
          const called = table.chains.get(to);
          if (called !== undefined && isFound) listed(callers, called).push(rule);
        };
        const asked = askedOf(rule.steps);
        for (const step of rule.steps) {
          noteMarks(step, rule, marks);
          noteSets(step, rule, setUses);
          if (step.kind === 'ask' && step.condition.kind === 'chance') chances.push({ ...step.condition, rule });
          if (step.kind === 'nat' && step.half === 'destination') draft.targets.push(...natTargets(step));
          // A Service without endpoints is refused by a rule of its own.
          if (step.kind === 'reject' || (step.kind === 'verdict' && step.verdict === 'drop')) {
            if (asked.port !== undefined && service !== undefined) entrances.push(entranceOf(asked, '', rule, service));
          }
          if (step.kind === 'jump' || step.kind === 'goto') {
            call(step.chain);
            if (asked.port !== undefined) entrances.push(entranceOf(asked, step.chain, rule, service));
          }
          if (step.kind === 'verdictMap') {
            for (const found of mapEntrances(step, rule, input)) {
              call(found.chain);
              entrances.push(found);
            }
          }
        }
      }
    }
  }
  for (const { address, protocol, port, text } of input.ipvs) {
    entrances.push({ address, protocol, port, chain: text, comment: undefined, rule: undefined, service: undefined });
  }
  const list = [...chains].map(([chain, draft]): CatalogChain => {
    const service = nftServiceName(chain.name) ?? (isHashedServiceChain(chain.name) ? draft.services[0] : undefined);
    return {
      chain,
      service,
      targets: draft.targets,
      leadsTo: [...new Set(draft.leadsTo)],
      callers: callers.get(chain) ?? [],
    };
  });
  return { chains: list, entrances: entrances.filter(({ chain }) => !marking.has(chain)), marks, setUses, chances };
}

/** Grown in place: half the rules of a large node lead to one chain. */
function listed<K, T>(lists: Map<K, T[]>, key: K): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

interface Draft {
  readonly services: string[];
  readonly targets: string[];
  readonly leadsTo: string[];
}

interface Asked {
  readonly address: Value | undefined;
  readonly protocol: number | undefined;
  readonly port: number | undefined;
}

function askedOf(steps: readonly Step[]): Asked {
  const conditions = steps.flatMap((step) => (step.kind === 'ask' ? flat(step.condition) : []));
  const only = (field: string): Value | undefined => {
    for (const condition of conditions) {
      if (
        condition.kind !== 'values' ||
        condition.field !== field ||
        condition.isOutside ||
        condition.mask !== undefined
      )
        continue;
      const [range, ...more] = condition.ranges;
      if (range !== undefined && more.length === 0 && range.first === range.last) return range.first;
    }
    return undefined;
  };
  const [protocol, port] = [only('protocol'), only('destinationPort')];
  return {
    address: only('destination'),
    protocol: protocol === undefined ? undefined : Number(protocol),
    port: port === undefined ? undefined : Number(port),
  };
}

function flat(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.conditions.flatMap(flat) : [condition];
}

function entranceOf(asked: Asked, chain: string, rule: WalkRule, service: string | undefined): CatalogEntrance {
  return { ...asked, chain, comment: rule.comment, rule, service };
}

/** Elements of a verdict map, `10.0.0.1 . tcp . 80 : goto service-…`, are entrances too. */
function mapEntrances(
  step: Extract<Step, { kind: 'verdictMap' }>,
  rule: WalkRule,
  input: WalkInput,
): readonly CatalogEntrance[] {
  if (typeof step.map !== 'string') {
    return step.map.flatMap(({ value }) => (value.kind === 'verdict' ? [] : [calledOnly(value, rule)]));
  }
  const set = rule.chain.table.sets.get(step.map);
  return (set?.elements ?? []).flatMap((element): CatalogEntrance[] => {
    const pattern = patternOf(element.key, step.key);
    const branch = branchOf(element);
    if (pattern === undefined || branch === undefined || branch.kind === 'verdict') return [];
    const part = (field: string): Value | undefined => {
      const at = step.key.findIndex((one) => one.kind === 'field' && one.field === field);
      const own = pattern[at];
      return own !== undefined && 'first' in own && own.first === own.last ? own.first : undefined;
    };
    const [address, protocol, port] = [part('destination'), part('protocol'), part('destinationPort')];
    if (address !== undefined && (typeof address === 'bigint') !== (input.family === 'ipv6')) return [];
    return [
      {
        address,
        protocol: protocol === undefined ? undefined : Number(protocol),
        port: port === undefined ? undefined : Number(port),
        chain: branch.chain,
        comment: element.comment,
        rule,
        service: nftServiceName(branch.chain),
      },
    ];
  });
}

function calledOnly(branch: Exclude<Branch, { kind: 'verdict' }>, rule: WalkRule): CatalogEntrance {
  return {
    address: undefined,
    protocol: undefined,
    port: undefined,
    chain: branch.chain,
    comment: undefined,
    rule,
    service: nftServiceName(branch.chain),
  };
}

function natTargets(step: Extract<Step, { kind: 'nat' }>): readonly string[] {
  const targets =
    step.map === undefined
      ? [step.target]
      : typeof step.map.elements === 'string'
        ? []
        : step.map.elements.map(({ value }) => value);
  return targets.flatMap(({ addresses, ports }) =>
    addresses === undefined ? [] : [endText(addresses.first, ports === undefined ? undefined : ports.first)],
  );
}

function noteMarks(step: Step, rule: WalkRule, marks: MarkUse[]): void {
  if (step.kind === 'assign' && step.target === 'mark') {
    marks.push({ rule, bits: (step.flip | (~step.keep >>> 0)) >>> 0, use: 'sets' });
  }
  if (step.kind !== 'ask') return;
  for (const condition of flat(step.condition)) {
    const asked = condition.kind === 'not' ? condition.condition : condition;
    if (asked.kind === 'values' && asked.field === 'mark')
      marks.push({ rule, bits: Number(asked.mask ?? asked.ranges[0]?.first ?? 0), use: 'asks' });
  }
}

function noteSets(step: Step, rule: WalkRule, uses: Map<string, WalkRule[]>): void {
  const names: string[] = [];
  if (step.kind === 'ask') {
    for (const condition of flat(step.condition)) {
      const asked = condition.kind === 'not' ? condition.condition : condition;
      if (asked.kind === 'ipset') names.push(asked.set);
      if (asked.kind === 'lookup' && typeof asked.set === 'string') names.push(asked.set);
    }
  }
  if (step.kind === 'verdictMap' && typeof step.map === 'string') names.push(step.map);
  if (step.kind === 'remember' || step.kind === 'rememberIpset') names.push(step.set);
  for (const name of names) listed(uses, name).push(rule);
}
