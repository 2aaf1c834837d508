import type { Report } from '../../diagnostics/diagnostic.ts';
import { newestVersion } from '../../dialect/newestVersion.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { Loaded } from '../../load/loaded.ts';
import type { Cluster } from '../../model/cluster.ts';
import { resolveCluster } from '../../resolve/resolveCluster.ts';
import type { TargetOptions } from '../../resolve/targetOptions.ts';
import { kindsBesideRules } from '../../validate/kinds/kindsBesideRules.ts';
import { validate } from '../../validate/validate.ts';
import { checking } from '../checking.ts';
import { readingProxy } from './readingProxy.ts';

/** From objects to the cluster, for targets other than rules. Undefined: an error was reported. */
export function readCluster(
  objects: Loaded['objects'],
  options: TargetOptions,
  kubeVersion: KubeVersion | undefined,
  report: Report,
): Cluster | undefined {
  const checked = checking(report);
  const { manifests } = validate(objects, checked.report, {
    proxy: readingProxy(options, kubeVersion),
    beside: kindsBesideRules,
    // The cluster's API server has accepted its objects, whatever version it has.
    takesLaterNames: true,
  });
  if (checked.hasErrors()) return undefined;
  const cluster = resolveCluster(manifests, options, kubeVersion ?? newestVersion(), checked.report);
  return checked.hasErrors()
    ? undefined
    : { ...cluster, namespaces: new Set([...cluster.namespaces, ...named(objects)]) };
}

/** Objects of kinds that are not read show namespaces too. */
function named(objects: Loaded['objects']): readonly string[] {
  return objects.flatMap(({ value }) => {
    const { namespace } = (value.metadata ?? {}) as { readonly namespace?: unknown };
    return typeof namespace === 'string' && namespace !== '' ? [namespace] : [];
  });
}
