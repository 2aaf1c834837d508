import type { Value, ValueRange } from '../common/ranges/valueRange.ts';
import { servicePortInComment } from '../seen/names/servicePortInComment.ts';
import type { CatalogEntrance } from '../trace/known/ruleEntrances.ts';
import { protocolName } from '../trace/question/protocolName.ts';
import { conditionsOf } from '../trace/service/conditionsOf.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { endText } from '../walk/values/text.ts';
import { entrancesOfEndpoints } from './entrancesOfEndpoints.ts';
import type { ForeignRule } from './foreignRules.ts';
import { serviceEntrances } from './serviceEntrances.ts';

/** An address and port by which packets get into a Service. */
export interface ServiceDoor {
  /** `shop/web:http`; undefined: no rule names Services. */
  readonly service: string | undefined;
  readonly kind: 'address' | 'node port' | 'health check port';
  /** Undefined: the node's own. */
  readonly address: Value | undefined;
  readonly protocol: string;
  readonly port: number;
}

/** `10.96.0.20:80/tcp`, `node port 30080/tcp`. */
export function doorText({ kind, address, port, protocol }: ServiceDoor): string {
  return address === undefined ? `${kind} ${port}/${protocol}` : `${endText(address, port)}/${protocol}`;
}

/**
 * The doors to try: for each rule of another program some of those that it could touch, by the addresses and ports that it
 * names (also of endpoints behind the door), and some of each kind for rules that name none.
 */
export function serviceDoors(input: WalkInput, rules: readonly ForeignRule[]): readonly ServiceDoor[] {
  const entrances = serviceEntrances(input);
  const chosen = new Set<CatalogEntrance>(someOfEachKind(entrances));
  const narrow = rules.filter(({ destinations, ports }) => destinations !== undefined || ports !== undefined);
  for (const rule of narrow) {
    if (chosen.size >= mostDoors) break;
    for (const entrance of firstOnes(entrances, (one) => isNamed(rule, one))) chosen.add(entrance);
  }
  const byEndpoint = narrow.flatMap(({ destinations }) => destinations ?? []);
  for (const entrance of entrancesOfEndpoints(entrances, input, byEndpoint, mostOfRule)) {
    if (chosen.size < mostDoors) chosen.add(entrance);
  }
  return [...[...chosen].map(doorOf), ...healthDoors(input, narrow)];
}

const mostDoors = 100;
const mostOfRule = 3;

function someOfEachKind(entrances: readonly CatalogEntrance[]): readonly CatalogEntrance[] {
  const groups = new Map<string, CatalogEntrance[]>();
  for (const entrance of entrances) {
    const { address, protocol, comment } = entrance;
    const key = `${address === undefined} ${protocol} ${/ (?:\S+ IP)$/.exec(comment ?? '')?.[0] ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entrance]);
    else group.push(entrance);
  }
  return [...groups.values()].flatMap((group) =>
    [group[0], group[group.length >> 1], group.at(-1)].filter((one) => one !== undefined),
  );
}

function firstOnes<T>(list: readonly T[], test: (each: T) => boolean): readonly T[] {
  const found: T[] = [];
  for (const each of list) {
    if (test(each)) found.push(each);
    if (found.length >= mostOfRule) break;
  }
  return found;
}

function isNamed({ destinations, ports }: ForeignRule, { address, port }: CatalogEntrance): boolean {
  // A node port has any address of the node.
  const hasAddress = destinations === undefined || address === undefined || isIn(destinations, address);
  return hasAddress && (ports === undefined || (port !== undefined && isIn(ports, port)));
}

function isIn(ranges: readonly ValueRange[], value: Value): boolean {
  return ranges.some(({ first, last }) => first <= value && value <= last);
}

function doorOf({ service, address, protocol, port = 0 }: CatalogEntrance): ServiceDoor {
  const kind = address === undefined ? 'node port' : 'address';
  return { service, kind, address, protocol: protocolName(protocol ?? 6), port };
}

/** kube-proxy itself answers there, and its rules of iptables let the load balancer's question in. */
function healthDoors(input: WalkInput, narrow: readonly ForeignRule[]): readonly ServiceDoor[] {
  const rules = input.tables.flatMap(({ name, chains }) =>
    name === 'filter' ? (chains.get('KUBE-NODEPORTS')?.rules() ?? []) : [],
  );
  const doors = rules.flatMap(({ steps, comment = '' }): readonly ServiceDoor[] => {
    if (!comment.endsWith(' health check node port')) return [];
    const port = conditionsOf(steps).find((one) => one.kind === 'values' && one.field === 'destinationPort');
    const number = port?.kind === 'values' ? port.ranges[0]?.first : undefined;
    if (number === undefined) return [];
    const service = servicePortInComment(comment);
    return [{ service, kind: 'health check port', address: undefined, protocol: 'tcp', port: Number(number) }];
  });
  const named = doors.filter(({ port }) => narrow.some(({ ports }) => ports !== undefined && isIn(ports, port)));
  return [...new Set([...doors.slice(0, mostOfRule), ...named.slice(0, mostDoors)])];
}
