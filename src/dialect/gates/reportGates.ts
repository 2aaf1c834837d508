import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { didYouMean } from '../../common/text/didYouMean.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { formatKubeVersion, type KubeVersion } from '../version.ts';
import { isGateOn, stageOf } from './gateState.ts';
import { type FeatureGates, type Gate, gateTable } from './gateTable.ts';

/** `isConfigured`: the configuration names the mode, no option. */
export interface AskedMode {
  readonly mode: ProxyMode;
  readonly isConfigured: boolean;
}

/**
 * Says what kube-proxy of a version refuses of its feature gates. Gates that change no rule are not known here, and named in
 * one note.
 */
export function reportGates(
  given: FeatureGates,
  { mode, isConfigured }: AskedMode,
  version: KubeVersion,
  report: Report,
): void {
  const unknown: string[] = [];
  for (const [name, isOn] of Object.entries(given)) {
    const gate = gateTable.find((one) => one.name === name);
    if (gate !== undefined) reportOwn(gate, isOn, version, report);
    else if (name !== 'AllAlpha' && name !== 'AllBeta') unknown.push(name);
  }
  for (const gate of gateTable.filter(({ opens }) => opens === mode)) {
    if (isGateOn(gate, version, given) !== false) continue;
    if (given[gate.name] === false) reportMode(gate.name, mode, version, report);
    else if (isConfigured) reportGateNeeded(gate.name, mode, version, report);
  }
  if (unknown.length > 0) reportUnknown(unknown, report);
}

function reportOwn(gate: Gate, isOn: boolean, version: KubeVersion, report: Report): void {
  const stage = stageOf(gate, version);
  const name = formatKubeVersion(version);
  const { since } = gate.stages[0] as Gate['stages'][number];
  if (stage === undefined) {
    report({
      code: 'bad-feature-gate',
      severity: 'error',
      message: `kube-proxy ${name} refuses feature gate ${gate.name}: it does not know it`,
      at: [],
      hint: `it came with Kubernetes ${since}`,
    });
  } else if (stage.stage === 'stable' && stage.isOn !== isOn) {
    report({
      code: 'bad-feature-gate',
      severity: 'error',
      message: `kube-proxy ${name} refuses feature gate ${gate.name}=${isOn}: it is locked to ${stage.isOn}`,
      at: [],
      hint: 'leave the gate out',
    });
  }
}

function reportMode(gate: string, mode: ProxyMode, version: KubeVersion, report: Report): void {
  report({
    code: 'bad-feature-gate',
    severity: 'error',
    message: `kube-proxy ${formatKubeVersion(version)} has ${mode} mode with feature gate ${gate} only, which is off`,
    at: [],
    hint: `set featureGates: {${gate}: true}, or choose another mode`,
  });
}

/** The flag --feature-gates may have it: that the configuration does not is no proof. */
function reportGateNeeded(gate: string, mode: ProxyMode, version: KubeVersion, report: Report): void {
  report({
    code: 'mode-needs-gate',
    severity: 'warning',
    message: `kube-proxy ${formatKubeVersion(version)} has ${mode} mode with feature gate ${gate} only: the configuration does not set it`,
    at: [],
    hint: `kube-proxy refuses the configuration, unless a flag sets the gate; set featureGates: {${gate}: true}`,
  });
}

function reportUnknown(names: readonly string[], report: Report): void {
  const known = gateTable.map(({ name }) => name);
  const meant = names.map((name) => didYouMean(name, known)).find((name) => name !== undefined);
  report({
    code: 'feature-gate-ignored',
    severity: meant === undefined ? 'note' : 'warning',
    message: `feature gate${names.length > 1 ? 's' : ''} ${firstFew(names, 5)}: not known to change what kube-proxy writes`,
    at: [],
    ...(meant !== undefined && { hint: `did you mean ${meant}? kube-proxy refuses a name that it does not know` }),
  });
}
