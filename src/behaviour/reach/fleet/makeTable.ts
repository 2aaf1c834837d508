import type { Family } from '../../../common/addresses/family.ts';
import type { Value, ValueRange } from '../../../common/ranges/valueRange.ts';
import { cut, union, type ValueSet } from '../../../common/ranges/valueSet.ts';
import { lackOfEndpoint } from '../../../netfilter/lackOfEndpoint.ts';
import { familyOfValue } from '../../../trace/question/familyOfValue.ts';
import { protocolName } from '../../../trace/question/protocolName.ts';
import { addressText } from '../../../walk/values/text.ts';
import { isLoopback } from '../../../walk/ways.ts';
import { addressWords } from '../../outcome/addressWords.ts';
import { arrivalsOf } from '../../outcome/distribution.ts';
import type { BehaviourOutcome } from '../../outcome/outcome.ts';
import { prefixTexts } from '../../outcome/prefixTexts.ts';
import { areEndpoints, type SenderKind } from '../../packets/senderKinds.ts';
import { traceArguments } from '../../traceArguments.ts';
import type { Reach, ReachClass, ReachRow } from '../reach.ts';
import { classesFrom, endpointTexts, reachWords, rowName } from '../reachWords.ts';
import {
  type CellPart,
  isFarSender,
  type ReachTable,
  type SendersOfTable,
  type TableCell,
  type TableRow,
} from './reachTable.ts';

interface TableInput {
  /** The rows that are compared; with `shows` found each has the classes that were found. */
  readonly rows: readonly ReachRow[];
  readonly shows: ReachTable['shows'];
  /** One address is asked for, whichever node it belongs to. */
  readonly isOfAddress: boolean;
  readonly lacksService: boolean;
  readonly mode: string | undefined;
  readonly hinted: readonly string[];
  /** Whether an address is on the node; undefined: nothing shows it. */
  readonly isLocal: ((address: string) => boolean) | undefined;
  /** Addresses of other nodes, as far as they are known. */
  readonly hosts: ReadonlySet<Value>;
}

/** The table of a node in a form that can be compared with those of other nodes. */
export function makeTable(reached: Reach, input: TableInput): ReachTable {
  const ends = new Map<string, { readonly at: number; readonly list: readonly string[] }>();
  const endsAt = (list: readonly string[]): number => {
    const key = list.join();
    const known = ends.get(key);
    if (known !== undefined) return known.at;
    ends.set(key, { at: ends.size, list });
    return ends.size - 1;
  };
  const rows = new Map<string, TableRow[]>();
  for (const row of input.rows) {
    const made = rowOf(row, input, endsAt);
    const known = rows.get(made.id);
    if (known === undefined) rows.set(made.id, [made]);
    else known.push(made);
  }
  const lists = [...ends.values()].map(({ list }) => list);
  const addresses = new Set(lists.flatMap((list) => list.map(addressOf)));
  const { isLocal } = input;
  return {
    families: reached.families,
    mode: input.mode ?? null,
    shows: input.shows,
    lacksService: input.lacksService,
    rows: [...rows.values()].map(joinedRow),
    ends: lists,
    senders: sendersOf(reached.rows),
    local: isLocal === undefined ? null : [...addresses].filter(isLocal),
    hinted: input.hinted,
  };
}

/** Of `10.0.0.9:80 33.3 %` or `[fd00::9]:80`. */
export function addressOf(end: string): string {
  return /^\[([^\]]*)\]/.exec(end)?.[1] ?? (/^[^: ]+/.exec(end)?.[0] as string);
}

function rowOf(row: ReachRow, input: TableInput, endsAt: (list: readonly string[]) => number): TableRow {
  // Unless it is known which endpoints are on the node, they send from here on one node and from elsewhere on another.
  const senders = [...new Set(row.classes.map(({ entrance }) => entrance))].filter(
    (sender) => input.shows === 'found' || input.isLocal !== undefined || !areEndpoints(sender),
  );
  const isNode = isOfNode(row) && !input.isOfAddress;
  return {
    id: isNode
      ? `node ${portOf(row)} ${familyOfValue(row.destination.address)}`
      : `${addressText(row.destination.address)} ${portOf(row)}`,
    family: familyOfValue(row.destination.address),
    service: row.name.service ?? null,
    name: isNode ? nameOnNode(row) : rowName(row),
    cells: senders
      .map((sender) => ({ sender, parts: partsOf(row, sender, input, endsAt) }))
      .filter(({ parts }) => parts.length > 0),
  };
}

/** At an address that other nodes do not have. */
function isOfNode({ name: { kind }, destination: { address } }: ReachRow): boolean {
  return (kind === 'nodePort' || kind === 'node') && !isLoopback(address);
}

function nameOnNode(row: ReachRow): string {
  return `${addressWords[row.name.kind]} ${portOf(row)}${familyOfValue(row.destination.address) === 'ipv6' ? ' (IPv6)' : ''}`;
}

function portOf({ destination: { use, protocolPorts } }: ReachRow): string {
  const [first] = protocolPorts;
  return use === 'other' ? 'any other port' : `${first?.port ?? ''}/${protocolName(first?.protocol ?? 0)}`;
}

function partsOf(
  row: ReachRow,
  sender: SenderKind,
  input: TableInput,
  endsAt: (list: readonly string[]) => number,
): readonly CellPart[] {
  const { shows } = input;
  const all = classesFrom(row, sender);
  const classes = shows === 'found' ? all : comparable(all, row, input);
  return classes.map((one): CellPart => {
    const list = endpointTexts(one);
    const isAtNode = [...one.outcome.outcomes.values()].some(({ outcome }) => outcome.isAtNode === true);
    return {
      says: reachWords(one, '').trim().replace(/ {2,}/g, ' '),
      ...(isAtNode && { isAtNode }),
      ...(list.length > 0 && { ends: endsAt(list) }),
      ...(classes.length > 1 && { sources: prefixTexts(one.sources) }),
      ...(isForLackOfLocal(one) && { isForLackOfLocal: true }),
      ...(shows === 'found' && { packet: traceArguments(one.entrance, one.packet) }),
    };
  });
}

function comparable(all: readonly ReachClass[], row: ReachRow, { isLocal, hosts }: TableInput): readonly ReachClass[] {
  const [first] = all;
  // Endpoints that are nodes are compared as such.
  if (first !== undefined && areEndpoints(first.entrance)) return without(hosts, ownEndpoints(all));
  return isLocal === undefined ? withoutEndpoints(all, row) : all;
}

/** Without endpoints of other ports or on their way out, which do not meet themselves: they are Pods like any other. */
function ownEndpoints(classes: readonly ReachClass[]): readonly ReachClass[] {
  return classes.filter(({ outcome, packet }) => {
    const ends = arrivalsOf(outcome);
    return ends.length === 0 || ends.includes(packet.source);
  });
}

/** Without classes of Pods that are endpoints of the row, unless there are no others. */
function withoutEndpoints(classes: readonly ReachClass[], row: ReachRow): readonly ReachClass[] {
  const others = without(new Set(row.classes.flatMap(({ outcome }) => arrivalsOf(outcome))), classes);
  return others.length === 0 ? classes : others;
}

function without(addresses: ReadonlySet<Value>, classes: readonly ReachClass[]): readonly ReachClass[] {
  return classes.filter(({ sources }) => sources.length === 0 || !sources.every((range) => isOneOf(range, addresses)));
}

/** The range, which is short, has no other addresses. */
function isOneOf({ first, last }: ValueRange, ends: ReadonlySet<Value>): boolean {
  if (Number(last) - Number(first) >= ends.size) return false;
  for (let value: Value = first; value <= last; value = typeof value === 'bigint' ? value + 1n : value + 1)
    if (!ends.has(value)) return false;
  return true;
}

function isForLackOfLocal({ outcome: { outcomes } }: ReachClass): boolean {
  const all = [...outcomes.values()];
  return all.length > 0 && all.every(({ outcome }) => lacksLocal(outcome));
}

function lacksLocal({ kind, decidedBy }: BehaviourOutcome): boolean {
  const decided = decidedBy?.();
  // A virtual server of IPVS without servers refuses, by no rule.
  if (kind === 'refused') return decided === undefined;
  // Up to 1.27 kube-proxy marks such packets, and a chain that kubelet has too drops them.
  if (kind === 'dropped' && decided?.chain.name === 'KUBE-FIREWALL') return true;
  return (
    kind === 'dropped' &&
    decided !== undefined &&
    lackOfEndpoint(decided.chain.name, decided.rule?.comment ?? '', true) === 'local'
  );
}

/** A port at several addresses of the node. */
function joinedRow(rows: readonly TableRow[]): TableRow {
  const [first] = rows as [TableRow, ...TableRow[]];
  if (rows.length === 1) return first;
  const senders = [...new Set(rows.flatMap(({ cells }) => cells.map(({ sender }) => sender)))];
  return {
    ...first,
    cells: senders.map((sender) =>
      joinedCell(rows.flatMap(({ cells }) => cells.filter((cell) => cell.sender === sender))),
    ),
  };
}

/** If the addresses are treated alike, one stands for all. */
function joinedCell(cells: readonly TableCell[]): TableCell {
  const [first] = cells as [TableCell, ...TableCell[]];
  const text = JSON.stringify(first.parts);
  if (cells.every(({ parts }) => JSON.stringify(parts) === text)) return first;
  const parts = new Map<string, CellPart>();
  for (const { sources: _, ...part } of cells.flatMap((cell) => cell.parts)) {
    parts.set(JSON.stringify([part.says, part.ends]), part);
  }
  return { sender: first.sender, parts: [...parts.values()] };
}

/** Of those that may be the same senders on two nodes. */
function sendersOf(rows: readonly ReachRow[]): readonly SendersOfTable[] {
  const found = new Map<string, { readonly family: Family; readonly sender: SenderKind; sources: ValueSet }>();
  for (const row of rows) {
    const family = familyOfValue(row.destination.address);
    for (const { entrance: sender, sources } of row.classes) {
      if (!isFarSender(sender)) continue;
      const key = `${family} ${sender}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { family, sender, sources });
      else if (cut(sources, known.sources).outside.length > 0) known.sources = union([...known.sources, ...sources]);
    }
  }
  return [...found.values()].map(({ sources, ...one }) => ({ ...one, sources: prefixTexts(sources) }));
}
