import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Value } from '../../src/common/ranges/valueRange.ts';
import { onlyValue, type ValueSet } from '../../src/common/ranges/valueSet.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { addressValue } from '../../src/netfilter/addressRanges.ts';
import { noConditions } from '../../src/trace/known/noConditions.ts';
import { startFlow } from '../../src/trace/question/startFlow.ts';
import type { TracePacket } from '../../src/trace/question/tracePacket.ts';
import { createTracer, type Tracer } from '../../src/trace/tracer.ts';
import type { Flow } from '../../src/walk/flow.ts';
import type { Ended } from '../../src/walk/hooks/walkHook.ts';
import { walkInputOf } from '../../src/walk/input/walkInputOf.ts';
import { approximate } from '../../src/walk/values/fraction.ts';
import { walkStart } from '../../src/walk/walkFlow.ts';

/**
 * Many packets walked at once do what each of them does alone: a set of destinations and ports falls apart into classes that
 * are disjoint and together the whole, and a packet out of each class has its outcomes.
 */

const root = join(import.meta.dirname, '../..');
const cases = [
  ['clusterip-iptnft', '10.244.1.200', '10.96.44.1'],
  ['clusterip-nftmode', '10.244.1.200', '10.96.44.1'],
  ['nodeport-legacy', '192.168.10.50', '192.168.10.1'],
  ['ranges-nftmode', '192.168.10.50', '192.168.10.1'],
  ['netpol-ipblock-ipset', '10.2.0.11', '10.1.0.10'],
  ['foreign-firewalld-nftmode', '192.168.10.50', '10.96.100.1'],
] as const;

for (const [name, from, near] of cases) {
  test(`${name}: a set of packets has the outcomes of its members`, () => {
    const folder = join(root, 'fixtures/trace', name);
    const files = readdirSync(folder).map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
    const tracer = createTracer(walkInputOf(readDumps(files, { name }), 'ipv4'));
    const start = startFlow(packet(from, near, 80), tracer.context(noConditions));
    const middle = Number(addressValue(near));
    const wide: Flow = withSet(start, [{ first: middle - 300, last: middle + 300 }], [{ first: 0, last: 65535 }]);
    const ended = walkStart(wide, tracer.context(noConditions));
    assert.ok(ended.length > 3, `${ended.length} ways`);
    let whole = 0;
    for (const { flow } of ended) {
      assert.ok(flow.share !== undefined);
      whole += approximate(flow.share) * size(flow.entry.destination) * size(flow.entry.destinationPort ?? []);
    }
    assert.ok(Math.abs(whole - 601 * 65536) < 1, 'the classes are the whole');
    const classes = new Map<string, Ended[]>();
    for (const one of ended) classes.set(key(one.flow), [...(classes.get(key(one.flow)) ?? []), one]);
    for (const members of classes.values()) {
      const { entry } = (members[0] as Ended).flow;
      for (const [address, port] of samples(entry.destination, entry.destinationPort ?? []))
        assertSame(tracer, start, address, port, members);
    }
  });
}

function packet(from: string, to: string, port: number): TracePacket {
  return {
    family: 'ipv4',
    protocol: 6,
    source: addressValue(from) as Value,
    sourcePort: 40000,
    destination: addressValue(to) as Value,
    destinationPort: port,
    origin: 'forwarded',
    inInterface: from.startsWith('10.244.') ? 'veth1' : 'eth0',
    inPort: undefined,
    flags: undefined,
    state: undefined,
    mark: 0,
  };
}

function withSet(start: Flow, destination: ValueSet, destinationPort: ValueSet): Flow {
  const whole = { ...start.packet, destination, destinationPort };
  return { ...start, packet: whole, entry: whole };
}

function size(values: ValueSet): number {
  return values.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0);
}

function key({ entry }: Flow): string {
  return JSON.stringify([entry.destination, entry.destinationPort]);
}

/** The ends of the first and of the last range of both dimensions. */
function samples(addresses: ValueSet, ports: ValueSet): readonly (readonly [Value, Value])[] {
  const ends = (values: ValueSet) => [values[0]?.first ?? 0, values.at(-1)?.last ?? 0];
  return ends(addresses).flatMap((address) => ends(ports).map((port) => [address, port] as const));
}

function assertSame(tracer: Tracer, start: Flow, address: Value, port: Value, members: readonly Ended[]): void {
  const one = { first: address, last: address };
  const alone = walkStart(withSet(start, [one], [{ first: port, last: port }]), tracer.context(noConditions));
  assert.deepEqual(
    alone.map((each) => outcome(each, address, port)).sort(),
    members.map((each) => outcome(each, address, port)).sort(),
  );
}

/** A destination that is as it came in is the packet's own. */
function outcome({ flow, end }: Ended, address: Value, port: Value): string {
  const { packet: left, entry } = flow;
  const to = left.destination === entry.destination ? address : onlyValue(left.destination);
  const toPort =
    left.destinationPort === entry.destinationPort ? port : left.destinationPort && onlyValue(left.destinationPort);
  const share = flow.share === undefined ? '?' : approximate(flow.share).toFixed(9);
  return `${end.kind} ${to}:${toPort} from ${onlyValue(left.source)} by ${flow.outInterface ?? '-'} ${share}`;
}
