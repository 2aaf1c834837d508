import type { PacketQuestion } from './askPacket.ts';
import { readParty } from './readParty.ts';

/** `8.8.8.8:53/udp` names the protocol with the port, as Services are listed: the same as giving it separately. */
export function withProtocol<T extends PacketQuestion>(question: T): T {
  const end = endAndProtocol(question.to);
  if (end === undefined || (question.proto !== undefined && question.proto.toLowerCase() !== end.proto))
    return question;
  return { ...question, ...end };
}

/** Undefined: it names no protocol, or is not a receiver without it either. */
export function endAndProtocol(text: string): { readonly to: string; readonly proto: string } | undefined {
  const [, to, proto = ''] = /^(.+:[a-z0-9-]+)\/(tcp|udp|sctp)$/i.exec(text) ?? [];
  return to === undefined || readParty(to) === undefined ? undefined : { to, proto: proto.toLowerCase() };
}
