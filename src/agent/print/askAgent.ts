import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { ListenAddress } from '../agentOptions.ts';
import { ownCall, ownCallHeader } from '../serve/ownCall.ts';

/** What the agent on this machine answered, or why there is no answer. */
export type AgentAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'silent'; readonly message: string };

/**
 * Asks the agent that listens on this machine, as a program of its own Pod. Its certificate is not looked at: nothing secret is
 * sent, and whoever answers here is on this machine.
 */
export function askAgent(
  { host, port }: ListenAddress,
  path: string,
  isSecure: boolean,
  timeout: number,
): Promise<AgentAnswer> {
  const own = ownCall(path, new Date());
  const headers = { accept: 'application/json', ...(own !== undefined && { [ownCallHeader]: own }) };
  const options = { host: isAny(host) ? '127.0.0.1' : host, port, path, headers, timeout };
  return new Promise((resolve) => {
    const take = (answer: IncomingMessage) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', ({ message }) => resolve({ kind: 'silent', message }));
      answer.on('end', () =>
        resolve({ kind: 'answered', status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    };
    const sent: ClientRequest = isSecure
      ? requestSecure({ ...options, rejectUnauthorized: false }, take)
      : request(options, take);
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', ({ message }) => resolve({ kind: 'silent', message }));
    sent.end();
  });
}

/** Whoever listens on all addresses does so on this one. */
function isAny(host: string): boolean {
  return host === '::' || host === '0.0.0.0';
}
