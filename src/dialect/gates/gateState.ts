import { compareKubeVersions, type KubeVersion, parseKubeVersion } from '../version.ts';
import type { FeatureGates, Gate, GateStage } from './gateTable.ts';

/** The stage of a gate in a version; undefined: that version does not have it yet. */
export function stageOf({ stages }: Gate, version: KubeVersion): GateStage | undefined {
  return stages.findLast(({ since }) => {
    const first = parseKubeVersion(since);
    return first !== undefined && compareKubeVersions(version, first) >= 0;
  });
}

/**
 * Whether a gate is on: by its own value, by AllAlpha or AllBeta, or as the version has it. A stable gate stays as it is;
 * undefined: the version does not have it.
 */
export function isGateOn(gate: Gate, version: KubeVersion, given: FeatureGates): boolean | undefined {
  const stage = stageOf(gate, version);
  if (stage === undefined || stage.stage === 'stable') return stage?.isOn;
  const ofAll = stage.stage === 'alpha' ? given.AllAlpha : stage.stage === 'beta' ? given.AllBeta : undefined;
  return given[gate.name] ?? ofAll ?? stage.isOn;
}
