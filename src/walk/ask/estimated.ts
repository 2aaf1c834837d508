import type { ValueRange } from '../../common/ranges/valueRange.ts';
import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Field } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../context.ts';
import type { Flow, PacketCount } from '../flow.ts';
import { isLocalAddress } from '../isLocalAddress.ts';
import { podAt } from '../podAt.ts';
import { packetSize } from './packetSize.ts';

/** The bounds of a number that the question does not give; undefined: there are none, or they are unknown. */
export function estimated(flow: Flow, field: Field, context: WalkContext): ValueRange | undefined {
  switch (field) {
    case 'length':
      return packetSize(flow.packet);
    case 'payloadLength': {
      const { first, last } = packetSize(flow.packet);
      return { first: first - 40, last: last - 40 };
    }
    case 'hopLimit':
      return hopLimit(flow, context);
    case 'expiration':
      return expiration(flow);
    default:
      return countRange(flow, field);
  }
}

/** A forwarded packet has lost one. A packet from elsewhere may have come any distance. */
function hopLimit(flow: Flow, context: WalkContext): ValueRange | undefined {
  const isSentOn = flow.origin === 'forwarded' && (flow.hook === 'forward' || flow.hook === 'postrouting');
  const lost = isSentOn && !flow.isBridged ? 1 : 0;
  const set = flow.header?.hopLimit;
  if (set === 'unknown') return undefined;
  if (set !== undefined) return { first: set - lost, last: set - lost };
  const source = onlyValue(flow.packet.source);
  const isNear =
    flow.origin === 'local' ||
    (source !== undefined && (isLocalAddress(source, context) || podAt(source, context)?.interface !== undefined));
  if (!isNear) return { first: 1, last: 255 - lost };
  context.notes.assumed.add('hop limit: 64, which is what the kernel gives packets unless their sender says otherwise');
  return { first: usual - lost, last: usual - lost };
}

const usual = 64;

/** The clock of a connection runs once it is confirmed. */
function expiration({ connection, leg, zone }: Flow): ValueRange | undefined {
  const isConfirmed = connection.isKnown || leg === 2;
  return isConfirmed || zone !== undefined ? undefined : { first: 0, last: 0 };
}

function countRange({ connection, zone }: Flow, field: Field): ValueRange | undefined {
  const [, direction, what] = /^(all|original|reply)(Packets|Bytes|Average)$/.exec(field) ?? [];
  if (what === undefined) return undefined;
  if (zone !== undefined) return { first: 0, last: 0 };
  const { counts } = connection;
  if (counts === undefined) return undefined;
  const { packets, least, most } =
    direction === 'all' ? sum(counts.original, counts.reply) : counts[direction as 'original' | 'reply'];
  switch (what) {
    case 'Packets':
      return { first: packets, last: packets };
    case 'Bytes':
      return { first: least, last: most };
    default:
      return packets === 0
        ? { first: 0, last: 0 }
        : { first: Math.floor(least / packets), last: Math.floor(most / packets) };
  }
}

function sum(one: PacketCount, other: PacketCount): PacketCount {
  return { packets: one.packets + other.packets, least: one.least + other.least, most: one.most + other.most };
}
