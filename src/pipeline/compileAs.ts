import { dialectOf } from '../dialect/dialectOf.ts';
import type { KubeVersion } from '../dialect/version.ts';
import { createPlan } from '../plan/createPlan.ts';
import type { Compiled } from './compile.ts';

/** The same objects and settings, compiled as another version of kube-proxy. */
export function compileAs(compiled: Compiled, kubeVersion: KubeVersion): Compiled {
  const dialect = dialectOf(compiled.model.config.mode, kubeVersion, compiled.model.config.featureGates);
  // Many versions only differ in spelling, and the plan of a large cluster is half of its memory.
  const decidesAlike = JSON.stringify(dialect.plan) === JSON.stringify(compiled.dialect.plan);
  const plans = decidesAlike
    ? compiled.plans
    : compiled.families.map((family) => createPlan(compiled.model, family, dialect.plan));
  return { ...compiled, dialect, kubeVersion, plans };
}
