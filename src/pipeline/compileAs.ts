import { dialectOf } from '../dialect/dialectOf.ts';
import type { KubeVersion } from '../dialect/version.ts';
import { createPlan } from '../plan/createPlan.ts';
import type { Compiled } from './compile.ts';

/** The same objects and settings, read and compiled as another version of kube-proxy does. */
export function compileAs(compiled: Compiled, kubeVersion: KubeVersion): Compiled {
  const dialect = dialectOf(compiled.model.config.mode, kubeVersion, compiled.model.config.featureGates);
  // Many versions only differ in spelling, and the plan of a large cluster is half of its memory.
  const decidesAlike = JSON.stringify(dialect.plan) === JSON.stringify(compiled.dialect.plan);
  const { model, withoutRules } = (decidesAlike ? undefined : compiled.readAs?.(dialect.plan)) ?? compiled;
  const plans = decidesAlike
    ? compiled.plans
    : compiled.families.map((family) => createPlan(model, family, dialect.plan));
  return { ...compiled, model, withoutRules, dialect, kubeVersion, plans };
}
