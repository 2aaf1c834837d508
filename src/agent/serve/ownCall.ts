import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * How a program in the agent's own Pod proves that it may read everything: it can read the token of the Pod's account,
 * and proves that without revealing it. Nothing else on the node has the token.
 */
export const ownCallHeader = 'x-k8snet-own';

const tokenFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The header for a call at this moment; undefined: there is no account here. */
export function ownCall(path: string, date: Date, token = readToken()): string | undefined {
  if (token === undefined) return undefined;
  const time = String(date.getTime());
  return `${time}:${proof(token, path, time)}`;
}

/** Whether a call came from the same Pod, less than a minute ago. */
export function isOwnCall(header: unknown, path: string, date: Date, token = readToken()): boolean {
  if (typeof header !== 'string' || token === undefined) return false;
  const [, time = '', given = ''] = /^(\d{1,16}):([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === '' || Math.abs(date.getTime() - Number(time)) > longestLife) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(proof(token, path, time)));
}

/** Milliseconds; both ends have the same clock. */
const longestLife = 60_000;

function proof(token: string, path: string, time: string): string {
  return createHmac('sha256', token).update(`${time} ${path}`).digest('hex');
}

function readToken(): string | undefined {
  try {
    return readFileSync(tokenFile, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
