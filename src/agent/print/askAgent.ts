import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { ListenAddress } from '../agentOptions.ts';
import { ownCall, ownCallHeader } from '../serve/ownCall.ts';

/** The answer of the agent on this machine, or the reason why it did not answer. */
export type AgentAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'silent'; readonly message: string };

/**
 * Asks the agent on this machine, as a program in its own Pod. Its certificate is not checked: nothing secret is sent,
 * and the answer can only come from this machine.
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

/** A program that listens on all addresses also listens on this one. */
function isAny(host: string): boolean {
  return host === '::' || host === '0.0.0.0';
}
