import type { Dialect } from '../dialect.ts';
import type { KubeVersion } from '../version.ts';
import { isGateOn, stageOf } from './gateState.ts';
import { type FeatureGates, gateTable } from './gateTable.ts';

/** What a version decides and writes with these feature gates. */
export function withGates(dialect: Dialect, version: KubeVersion, given: FeatureGates): Dialect {
  let changed = dialect;
  for (const gate of gateTable) {
    const isOn = isGateOn(gate, version, given);
    if (isOn === undefined || isOn === stageOf(gate, version)?.isOn) continue;
    const { plan, spelling } = gate.sets(isOn);
    changed = {
      ...changed,
      plan: { ...changed.plan, ...plan },
      spelling: { ...changed.spelling, ...spelling?.[changed.mode] },
    } as Dialect;
  }
  return changed;
}
