import { ipPort } from '../../common/addresses/ipPort.ts';
import type { TrafficPolicy } from '../ports/seenPort.ts';
import type { Servers } from './serviceDraft.ts';

/** An endpoint (`ip:port`) is on this node. */
export type IsLocal = (address: string) => boolean;

/**
 * 4: the same servers; 3: those that a Local policy leaves; 2: those that terminating endpoints explain; 1: those that
 * hints explain; 0: no fit.
 */
export type Fit = 0 | 1 | 2 | 3 | 4;

export const fits: readonly Fit[] = [4, 3, 2, 1];

/** How well the servers of an external address fit those of a cluster IP, if both are addresses of one Service port. */
export function fitOf(internal: Servers, external: Servers, policy: TrafficPolicy, isLocal: IsLocal): Fit {
  if (internal.endpoints === undefined || external.endpoints === undefined) return 1;
  if (internal.key === external.key) return 4;
  if (internal.seconds !== external.seconds) return 0;
  const [inside, outside] = [textsOf(internal), textsOf(external)];
  // Through 1.23 a Local policy leads nowhere if no endpoint is on this node.
  if (policy === 'Local' && outside.length === 0 && !inside.some(isLocal)) return 3;
  const isAllLocal = (part: readonly string[]) => part.length > 0 && part.every(isLocal);
  // A Local policy leaves one of the two of the other.
  const isOutsideLocal = policy === 'Local' && isAllLocal(outside);
  const [part, whole] = isOutsideLocal ? [outside, inside] : [inside, outside];
  if (!isOutsideLocal && !isAllLocal(inside)) return 0;
  const all = new Set(whole);
  if (part.every((one) => all.has(one))) return 3;
  // Terminating endpoints serve only if none on this node is ready.
  if (!whole.some(isLocal)) return 2;
  return part.some((one) => all.has(one)) ? 1 : 0;
}

function textsOf({ endpoints = [] }: Servers): readonly string[] {
  return endpoints.map(({ ip, port }) => ipPort(ip, port));
}
