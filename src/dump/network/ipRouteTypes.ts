import { routeTypes } from '../../netfilter/meaning.ts';

/** Types of routes as `ip route` names them in front of a destination; without one a route is `unicast`. */
export const ipRouteTypes: ReadonlySet<string> = new Set([...routeTypes, 'throw']);
