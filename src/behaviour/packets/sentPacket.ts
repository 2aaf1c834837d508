import type { Value } from '../../common/ranges/valueRange.ts';
import { interfaceTo } from '../../trace/question/interfaceTo.ts';
import type { TracePacket } from '../../trace/question/tracePacket.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { ProtocolPort } from './destinations.ts';
import type { DestinationTask } from './destinationTask.ts';
import { ownSource } from './ownSource.ts';
import type { Senders } from './senders.ts';

/** Packets of one sender by one protocol to one destination. */
export interface Sending {
  readonly source: Value;
  readonly entrance: Senders;
  readonly protocolPort: ProtocolPort;
  readonly task: DestinationTask;
}

/** One of these packets, from any port, as it arrives at the node of one side. */
export function sentPacket({ source, entrance, protocolPort, task }: Sending, context: WalkContext): TracePacket {
  const { destination, family, options } = task;
  const isOwn = entrance.kind === 'node';
  const inInterface = isOwn
    ? undefined
    : entrance.kind === 'pod'
      ? (interfaceTo(source, context) ?? entrance.inInterface)
      : entrance.inInterface;
  return {
    family,
    protocol: protocolPort.protocol,
    source: isOwn ? (ownSource(destination.address, [context]) ?? source) : source,
    sourcePort: undefined,
    destination: destination.address,
    destinationPort: protocolPort.port,
    origin: isOwn ? 'local' : 'forwarded',
    inInterface,
    inPort: undefined,
    flags: undefined,
    state: options.state === 'established' ? 'established' : undefined,
    mark: 0,
  };
}
