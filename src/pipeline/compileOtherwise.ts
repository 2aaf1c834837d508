import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { dialectOf } from '../dialect/dialectOf.ts';
import { reportVersion } from '../dialect/reportVersion.ts';
import type { KubeVersion } from '../dialect/version.ts';
import { createPlan } from '../plan/createPlan.ts';
import { checking } from './checking.ts';
import type { Compiled } from './compile.ts';

/**
 * The same Services, endpoints and node under another mode or version of kube-proxy: allocated values, and those from a
 * dump, stay. Undefined: that version does not have the mode, which was reported.
 */
export function compileOtherwise(
  compiled: Compiled,
  { mode, kubeVersion }: { readonly mode: ProxyMode; readonly kubeVersion: KubeVersion },
  report: Report,
): Compiled | undefined {
  const checked = checking(report);
  const gates = compiled.model.config.featureGates;
  reportVersion(kubeVersion, mode, checked.report);
  if (checked.hasErrors()) return undefined;
  const model = { ...compiled.model, config: { ...compiled.model.config, mode } };
  const dialect = dialectOf(mode, kubeVersion, gates);
  const plans = compiled.families.map((family) => createPlan(model, family, dialect.plan));
  return { ...compiled, model, dialect, kubeVersion, isVersionKnown: true, plans };
}
