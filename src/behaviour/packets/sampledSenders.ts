import type { Value } from '../../common/ranges/valueRange.ts';
import { cut, hasValue, onlyValue, single, union, type ValueSet } from '../../common/ranges/valueSet.ts';
import { startFlow } from '../../trace/question/startFlow.ts';
import type { ProtocolPort } from './destinations.ts';
import type { DestinationTask } from './destinationTask.ts';
import { ownSource } from './ownSource.ts';
import type { Senders } from './senders.ts';
import { sentPacket } from './sentPacket.ts';
import { sourceCells } from './sourceCells.ts';

export interface SampledSender {
  readonly source: Value;
  /** Others in the cell with known names: a difference for one is shown for each. */
  readonly alike: readonly Value[];
  /** All senders that it stands for: worked out where a finding shows them. */
  readonly cell: () => ValueSet;
}

/**
 * One sender of each cell: the node's own address, or the best known of the others. Those who are left out are not
 * walked either: rules match each endpoint of a Service as a sender, and each would be cut out of the addresses of all
 * Pods, on both sides. That took a third of the time for 100,000 Pods.
 */
export function sampledSenders(
  entrance: Senders,
  protocolPort: ProtocolPort,
  task: DestinationTask,
  except: ReadonlySet<Value>,
): readonly SampledSender[] {
  const { destination } = task;
  if (entrance.kind === 'node') {
    const source = ownSource(destination.address, task.contexts);
    return source === undefined ? [] : [{ source, alike: [], cell: () => single(source) }];
  }
  const { sources } = entrance;
  const only = onlyValue(sources);
  if (only !== undefined) return except.has(only) ? [] : [{ source: only, alike: [], cell: () => sources }];
  const cellsOf = (senders: ValueSet) => {
    const starts = [...new Set(task.contexts)].map((own) => {
      const sample = entrance.samples[0] ?? (sources[0]?.first as Value);
      const flow = startFlow(sentPacket({ source: sample, entrance, protocolPort, task }, own), own);
      const packet = { ...flow.packet, source: senders };
      return { flow: { ...flow, packet, entry: packet }, context: own };
    });
    return sourceCells(senders, starts);
  };
  const parts = cut(sources, union([...except].flatMap(single)));
  const asked = parts.inside.length === 0 ? sources : parts.outside;
  if (asked.length === 0) return [];
  let whole: readonly ValueSet[] | undefined;
  const wholeCell = (part: ValueSet): ValueSet => {
    if (asked === sources) return part;
    whole ??= cellsOf(sources);
    return whole.find((cell) => hasValue(cell, part[0]?.first as Value)) ?? part;
  };
  return cellsOf(asked).flatMap((part): readonly SampledSender[] => {
    const cell = () => wholeCell(part);
    const [first, ...alike] = firstSamples(entrance.samples, (sample) => hasValue(part, sample));
    const source = first ?? freeAddress(cell(), except, destination.address);
    return source === undefined ? [] : [{ source, alike: alike.length < mostAlike ? alike : [], cell }];
  });
}

/** If there are more known senders, such as Pods on a large node, the first represents all. */
const mostAlike = 64;

/** Enough to see that there are more: a cluster has tens of thousands of Pods elsewhere. */
function firstSamples(samples: readonly Value[], isAsked: (sample: Value) => boolean): readonly Value[] {
  const found: Value[] = [];
  for (const sample of samples) {
    if (isAsked(sample)) found.push(sample);
    if (found.length > mostAlike) break;
  }
  return found;
}

/** An address of the cell that looks like a host: not the network's first. */
function freeAddress(cell: ValueSet, except: ReadonlySet<Value>, destination: Value): Value | undefined {
  for (const steps of [usualSteps, fewSteps]) {
    for (const { first, last } of cell) {
      for (const step of steps) {
        const address = typeof first === 'bigint' ? first + BigInt(step) : first + step;
        if (address <= last && !except.has(address) && address !== destination) return address;
      }
    }
  }
  return undefined;
}

const usualSteps = [9, 8, 7, 6, 5, 4, 3, 2];
const fewSteps = [1, 0];
