import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isUrl } from '../common/text/isUrl.ts';
import { partyAndPort } from '../common/text/partyWords.ts';
import { parsePortSpec } from '../policy/portSpec.ts';

/** For a command that needs a port: it has `--port`, `--proto` and `--protocol`, which is the same. */
export function takesPort(command: Command): boolean {
  return command.options.some(({ long }) => long === '--protocol');
}

/**
 * Port and protocol may follow the receiver (`svc/shop/web:53/udp`), or be in `--port` (`53/udp`), or the protocol in
 * `--proto`. Packets have the port after the receiver and a protocol; questions to policies have a receiver and a port.
 * Returns a contradiction, or undefined.
 */
export function settlePort(command: Command): string | undefined {
  const receiver = receiverOf(command);
  const [party, behind] = receiver === undefined ? [undefined, undefined] : partyAndPort(receiver);
  const beside: unknown = command.getOptionValue('port');
  const [writtenPort, writtenProto] = portParts(behind);
  const [askedPort, askedProto] = portParts(typeof beside === 'string' ? beside : undefined);
  const protos = new Set(
    [command.getOptionValue('proto'), command.getOptionValue('protocol'), writtenProto, askedProto].flatMap(
      (proto: unknown) => (typeof proto === 'string' ? [proto.toLowerCase()] : []),
    ),
  );
  if (protos.size > 1) return `${[...protos].join(' and ')}: one protocol at a time`;
  if (askedPort !== undefined && writtenPort !== undefined && askedPort !== writtenPort)
    return `the receiver has port ${writtenPort}, and --port says ${askedPort}`;
  const [proto] = protos;
  const port = askedPort ?? writtenPort;
  if (isOfPolicies(command)) return settlePolicyPort(command, party, port, proto);
  if (proto !== undefined) command.setOptionValue('proto', proto);
  if (party === undefined)
    return port === undefined ? undefined : '--port: the port of whom? name a receiver with --to';
  if (port !== undefined) setReceiver(command, `${bracketed(party)}:${port}`);
  return undefined;
}

/** `53/udp`, `udp/53`, `53`, `icmp`. */
function portParts(text: string | undefined): readonly [port: string | undefined, proto: string | undefined] {
  if (text === undefined) return [undefined, undefined];
  if (/^icmp(?:v6)?$/i.test(text)) return [undefined, text];
  const [first = '', second] = text.split('/');
  return second !== undefined && /^(?:tcp|udp|sctp)$/i.test(first) ? [second, first] : [first, second];
}

function isOfPolicies(command: Command): boolean {
  return command.parent?.name() === 'policy';
}

function settlePolicyPort(
  command: Command,
  party: string | undefined,
  port: string | undefined,
  proto: string | undefined,
): string | undefined {
  if (party !== undefined) command.setOptionValue('to', party);
  const isIcmp = proto === 'icmp' || proto === 'icmpv6';
  if (port === undefined && proto === undefined) return undefined;
  if (port === undefined && !isIcmp) return `--proto ${proto}: which port? --port 53/${proto}`;
  const spec = parsePortSpec(isIcmp ? 'icmp' : `${port}/${proto ?? 'tcp'}`);
  if (spec === undefined)
    return `${port}${proto === undefined ? '' : `/${proto}`}: a port looks like 80, 53/udp, http/tcp or icmp`;
  command.setOptionValue('port', spec);
  return undefined;
}

/** Undefined: none is named, or a URL, which has its own port. */
function receiverOf(command: Command): string | undefined {
  const place = receiverPlace(command);
  const { processedArgs: given } = command;
  const text: unknown =
    place === 'to' ? command.getOptionValue('to') : place === 'argument' ? given[0] : (given[0] as unknown[])[place];
  return typeof text === 'string' && !isUrl(text) ? text : undefined;
}

function setReceiver(command: Command, text: string): void {
  const place = receiverPlace(command);
  if (place === 'to') command.setOptionValue('to', text);
  else if (place === 'argument') command.processedArgs[0] = text;
  else (command.processedArgs[0] as unknown[])[place] = text;
}

/** Where the receiver is: in an option, as the argument, or as one of several words. */
function receiverPlace(command: Command): 'to' | 'argument' | number {
  const name = command.registeredArguments[0]?.name();
  if (name === 'words') {
    const words = command.processedArgs[0] as readonly string[];
    return words.findIndex((word) => /^svc\/|^\[|^(?:\d+\.){3}\d+/.test(word) && !existsSync(word));
  }
  return name === 'where' || name === 'name' || name === 'service' ? 'argument' : 'to';
}

/** An IPv6 address followed by a port. */
function bracketed(party: string): string {
  return /^[0-9a-f.]*:[0-9a-f:.]*$/i.test(party) ? `[${party}]` : party;
}
