import type { Value } from '../../common/ranges/valueRange.ts';
import type { WalkRule } from '../../walk/input/walkInput.ts';

/**
 * Ports that stand for themselves wherever packets are sent on to them: node ports, and those that rules for all
 * destinations send packets on to. All, if such a rule looks the port up.
 */
export function fixedPorts(
  rules: readonly WalkRule[],
  nodePorts: ReadonlyMap<Value, unknown>,
): (port: number) => boolean {
  const named = new Set<Value>();
  let isLookedUp = false;
  for (const { steps } of rules) {
    for (const step of steps) {
      if (step.kind !== 'nat') continue;
      const { ports } = step.target;
      if (ports !== undefined && ports.first === ports.last) named.add(ports.first);
      else if (ports !== undefined || step.map !== undefined) isLookedUp = true;
    }
  }
  return (port) => isLookedUp || named.has(port) || nodePorts.has(port);
}
