import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { type BehaviourComparison, compareBehaviour } from '../compareBehaviour.ts';
import { type ChangeGroup, changeGroups } from './changeGroups.ts';
import { type Dependent, dependents } from './dependents.ts';
import { isFurtherLoopback } from './isFurtherLoopback.ts';
import { type MigrationNeed, migrationNeeds } from './migrationNeeds.ts';
import type { MigrationSide } from './migrationSide.ts';
import { type MigrationStep, migrationSteps } from './migrationSteps.ts';
import type { ProxyKind } from './proxyKind.ts';
import { serviceTraits } from './serviceTraits.ts';

/** What changes for these Services with another mode or version of kube-proxy, and how to get there. */
export interface Migration {
  readonly from: ProxyKind;
  readonly to: ProxyKind;
  readonly node: string;
  readonly services: number;
  readonly groups: readonly ChangeGroup[];
  readonly comparison: BehaviourComparison;
  readonly needs: readonly MigrationNeed[];
  /** Undefined: no dump was given. */
  readonly dependents: readonly Dependent[] | undefined;
  readonly steps: readonly MigrationStep[];
  readonly back: readonly MigrationStep[];
}

export function migration(from: MigrationSide, to: MigrationSide, dump: NodeRules | undefined): Migration {
  const [before, after] = [kindOf(from.compiled), kindOf(to.compiled)];
  const compared = compareBehaviour(from.side, to.side);
  const comparison = {
    ...compared,
    findings: compared.findings.filter(({ destination }) => !isFurtherLoopback(destination.address)),
  };
  const { node, servicePorts } = from.compiled.model;
  return {
    from: before,
    to: after,
    node: node.name,
    services: new Set(servicePorts.map(({ namespace, name }) => `${namespace}/${name}`)).size,
    groups: changeGroups(comparison.findings, before, after, serviceTraits(from.compiled)),
    comparison,
    needs: migrationNeeds(before, after, from.compiled.model.config, dump),
    dependents: dump && before.mode !== after.mode ? dependents(dump, after.mode) : dump && [],
    steps: migrationSteps(before, after),
    back: migrationSteps(after, before),
  };
}

function kindOf({ model, kubeVersion }: Compiled): ProxyKind {
  return { mode: model.config.mode, version: kubeVersion };
}
