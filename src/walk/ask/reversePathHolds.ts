import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { routeTo } from '../routing.ts';

/** The source address has a route back; in strict mode by the interface that the packet arrived on. */
export function reversePathHolds(
  flow: Flow,
  { isLoose, usesMark }: { readonly isLoose: boolean; readonly usesMark?: true },
  context: WalkContext,
): boolean {
  const mark = usesMark ? flow.mark : 0;
  const question = { destinations: flow.packet.source, source: flow.packet.destination, mark };
  const route = routeTo(question, context);
  if (route === undefined || !reachable.has(route.type)) return false;
  return isLoose || route.type === 'local' || route.device === flow.inInterface;
}

const reachable: ReadonlySet<string> = new Set(['unicast', 'local', 'broadcast', 'anycast', 'multicast']);
