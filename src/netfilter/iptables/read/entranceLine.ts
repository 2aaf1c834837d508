import { hostNumber } from '../values/hostNumber.ts';
import { savedRuleParts } from './readSavedRule.ts';

/** What a rule asks that sends packets for one port, and perhaps one address, to a chain of kube-proxy. */
export interface EntranceLine {
  /** IPv4. Undefined: any. */
  readonly destination: number | undefined;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly destinationPort: number;
  readonly comment: string | undefined;
  /** The chain that it jumps to. */
  readonly jump: string;
}

/**
 * Reads it off a line as iptables-save prints it, without making a rule of it: a large node has one line for each
 * Service. Undefined: the line says something else, or the same in another way.
 */
export function entranceLine(line: string): EntranceLine | undefined {
  const parts = savedRuleParts(line);
  if (parts?.jump === undefined || parts.port === undefined || parts.protocol !== parts.transport) return undefined;
  if (parts.source !== undefined || parts.probability !== undefined) return undefined;
  const { destination: network, comment, jump } = parts;
  const destination = network === undefined ? undefined : hostNumber(network);
  const destinationPort = Number(parts.port);
  if (destination === -1 || destinationPort > 65535) return undefined;
  return { destination, protocol: parts.protocol as EntranceLine['protocol'], destinationPort, comment, jump };
}
