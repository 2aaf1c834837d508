import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { compareKubeVersions, type KubeVersion, parseKubeVersion } from '../version.ts';
import { type FeatureGates, type Gate, type GateStage, gateTable } from './gateTable.ts';

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

/** The gates without which a version does not take a mode, and that it has off. */
export function gatesNeeded(mode: ProxyMode, version: KubeVersion): FeatureGates {
  const closed = gateTable.filter((gate) => gate.opens === mode && isGateOn(gate, version, {}) === false);
  return Object.fromEntries(closed.map(({ name }) => [name, true]));
}
