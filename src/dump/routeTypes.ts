/** Types of routes as `ip route` names them in front of a destination; without one a route is `unicast`. */
export const routeTypes: ReadonlySet<string> = new Set([
  'unicast',
  'local',
  'broadcast',
  'anycast',
  'multicast',
  'unreachable',
  'blackhole',
  'prohibit',
  'throw',
]);
