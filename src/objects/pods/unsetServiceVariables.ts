import { parseTime } from '../../common/text/parseTime.ts';
import type { ContainerObject } from '../../validate/kinds/manifests.ts';
import type { LintContext, LintedPodSpec, LintedService } from '../lintContext.ts';

/** Containers that refer to variables of Services which they do not get. */
export function unsetServiceVariables(context: LintContext): void {
  const byPrefix = new Map<string, LintedService>();
  for (const linted of context.services.values()) {
    const { namespace, name, kind } = linted.service;
    if (kind === 'clusterIP') byPrefix.set(`${namespace}/${name.toUpperCase().replaceAll('-', '_')}`, linted);
  }
  for (const pod of context.podSpecs) {
    for (const [index, container] of pod.containers.entries()) {
      const prefixes = new Set(mentioned(container));
      for (const prefix of prefixes) {
        const linted = byPrefix.get(`${pod.namespace}/${prefix}`);
        if (linted !== undefined) check(context, pod, index, prefix, linted);
      }
    }
  }
}

/** `REDIS_MASTER` of `$(REDIS_MASTER_SERVICE_HOST)`, wherever the container's command or variables say it. */
function mentioned({ args, command, env }: ContainerObject): readonly string[] {
  const text = JSON.stringify([args, command, (env ?? []).map(({ value }) => value)]);
  return [...text.matchAll(/\$[({]?([A-Z][A-Z0-9_]*)_SERVICE_(?:HOST|PORT)\b/g)].map(([, prefix]) => prefix ?? '');
}

function check(
  { complain }: LintContext,
  { spec, createdAt, manifest, path, title, namespace }: LintedPodSpec,
  index: number,
  prefix: string,
  { service }: LintedService,
): void {
  const place = [...path, 'containers', index];
  if (spec.enableServiceLinks === false && service.id !== 'default/kubernetes') {
    complain(manifest, {
      code: 'service-links-off',
      path: [...path, 'enableServiceLinks'],
      message: `${title} refers to ${prefix}_SERVICE_HOST or _PORT, and enableServiceLinks: false keeps it from having them`,
      hint: `use the name ${service.name}.${namespace}, or take enableServiceLinks out`,
    });
    return;
  }
  const [made, came] = [parseTime(createdAt), parseTime(service.createdAt)];
  if (made === undefined || came === undefined || made >= came) return;
  complain(manifest, {
    code: 'service-after-pod',
    severity: 'warning',
    path: place,
    message: `${title} refers to ${prefix}_SERVICE_HOST or _PORT and is older than Service ${service.id}: it does not have them`,
    hint: 'start the Pod again, or use the name of the Service',
  });
}
