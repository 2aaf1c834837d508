import { onlyValue, single } from '../../common/ranges/valueSet.ts';
import { taken } from '../ask/answers.ts';
import { originalTuple } from '../ask/narrow.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { withPacket } from '../flowShape.ts';
import type { Hook, WalkServer, WalkVirtualService } from '../input/walkInput.ts';
import { addressText, endText } from '../values/text.ts';
import type { Left } from './followOutcome.ts';
import { ipvsChoice } from './ipvsChoice.ts';
import { isServedUnseen } from './isServedUnseen.ts';
import { lastSeen, remembered } from './memory.ts';

/** One of IPVS's own hooks: it lets a packet pass, sends it on to a server (`taken`), or rejects it. */
export type IpvsStage = (flow: Flow, context: WalkContext) => readonly (Left | { readonly taken: Flow })[];

/** Where IPVS stands at a hook. */
export function ipvsStages(hook: Hook): readonly { readonly priority: number; readonly stage: IpvsStage }[] {
  switch (hook) {
    case 'input':
      return [
        { priority: 98, stage: answer },
        { priority: 99, stage: request },
      ];
    case 'output':
      return [
        { priority: -99, stage: answer },
        { priority: -98, stage: request },
      ];
    case 'forward':
      return [{ priority: 100, stage: answer }];
    default:
      return [];
  }
}

/** A packet to a virtual service: IPVS chooses a server, and the packet goes out again from OUTPUT on. */
function request(flow: Flow, context: WalkContext): readonly (Left | { readonly taken: Flow })[] {
  const { connection } = flow;
  if (flow.isOfIpvs || connection.direction === 'reply' || connection.state === 'untracked') return [passed(flow)];
  const service = serviceOf(flow, context);
  if (service === undefined) return [isServedUnseen(flow, context) ? unseen(flow) : passed(flow)];
  const known = connection.ipvsServer;
  if (known !== undefined) return [{ taken: sentTo(flow, known) }];
  if (service.servers.every(({ weight }) => weight <= 0)) {
    return [{ flow, verdict: 'drop', rejection: { kind: 'icmp', v4: [3, 3], v6: [1, 4] }, byIpvs: true }];
  }
  const list = `ipvs ipvs:${addressText(service.address)}:${service.port}`;
  const client = onlyValue(flow.packet.source);
  const stuck = stuckServer(flow, service, list, client, context);
  if (stuck !== undefined) return [{ taken: sentTo(flow, stuck) }];
  const choice = ipvsChoice(service);
  if (choice.unseen !== undefined)
    context.notes.notes.add(`scheduler ${service.scheduler}: ${choice.unseen}; shares are taken as equal`);
  const whole = choice.servers.reduce((sum, { share }) => sum + share, 0);
  return choice.servers.map(({ server, share }) => {
    const one =
      choice.servers.length === 1 ? flow : taken(flow, share, whole, { name: service.text, kind: 'ipvs', taken: true });
    const kept =
      service.persistence === undefined || client === undefined
        ? one
        : remembered(one, `${list} ${endText(server.address, server.port)}`, String(client), context.elapsed);
    return { taken: sentTo(kept, server) };
  });
}

function unseen(flow: Flow): Left {
  return {
    flow,
    verdict: 'unknown',
    byIpvs: true,
    why: 'the virtual servers of IPVS, which decide here, were not given',
  };
}

/** A reply of a server: its source becomes the virtual address again, which the connection contains. */
function answer(flow: Flow): readonly (Left | { readonly taken: Flow })[] {
  const { connection } = flow;
  if (connection.direction !== 'reply' || connection.ipvsServer === undefined) return [passed(flow)];
  const original = originalTuple(flow);
  const packet = {
    ...flow.packet,
    source: original.destination,
    sourcePort: flow.packet.sourcePort && original.destinationPort,
  };
  return [passed(withPacket(flow, packet))];
}

function passed(flow: Flow): Left {
  return { flow, verdict: 'accept' };
}

function serviceOf(flow: Flow, context: WalkContext): WalkVirtualService | undefined {
  const address = onlyValue(flow.packet.destination);
  const port = flow.packet.destinationPort && onlyValue(flow.packet.destinationPort);
  const protocol = onlyValue(flow.packet.protocol);
  return context.input.ipvs.find(
    (service) => service.address === address && service.port === port && service.protocol === protocol,
  );
}

/** The server that a client was sent to within the service's persistence. */
function stuckServer(
  flow: Flow,
  service: WalkVirtualService,
  list: string,
  client: number | bigint | undefined,
  context: WalkContext,
): WalkServer | undefined {
  if (service.persistence === undefined || client === undefined) return undefined;
  const lasts = service.persistence * 1000;
  return service.servers.find((server) => {
    const seen = lastSeen(flow, `${list} ${endText(server.address, server.port)}`, String(client), context);
    return seen?.at !== undefined && context.elapsed - seen.at < lasts;
  });
}

function sentTo(flow: Flow, server: WalkServer): Flow {
  const packet =
    server.forward === 'masquerade'
      ? {
          ...flow.packet,
          destination: single(server.address),
          destinationPort: flow.packet.destinationPort && single(server.port),
        }
      : flow.packet;
  const destinationBinding = { address: server.address, port: server.port };
  return {
    ...flow,
    packet,
    isOfIpvs: true,
    nextHop: server.address,
    connection: { ...flow.connection, destinationBinding, ipvsServer: server },
  };
}
