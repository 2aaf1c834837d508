import type { Report } from '../../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { RawObject } from './rawObject.ts';

/**
 * Objects of an API version that the cluster no longer serves: it refuses them, whatever they say. Looked for in every
 * object, those of kinds that are not read among them. Undefined `version`: the cluster's is not known, and the newest is meant.
 */
export function removedApis(
  objects: readonly RawObject[],
  version: KubeVersion | undefined,
  newest: KubeVersion,
  report: Report,
): void {
  const { minor } = version ?? newest;
  for (const { apiVersion, kind, origin } of objects) {
    const removed = removals.get(`${apiVersion} ${kind}`);
    if (removed === undefined || removed.minor > minor) continue;
    const problem = {
      code: 'api-version-removed',
      severity: version === undefined ? 'warning' : 'error',
      path: ['apiVersion'],
      message: `Kubernetes has served no ${kind} in ${apiVersion} since 1.${removed.minor}`,
      hint: `use ${removed.instead}, and check the fields that changed${version === undefined ? '; --kube-version names the version of the cluster' : ''}`,
    } as const;
    report(objectDiagnostic(origin, problem));
  }
}

interface Removal {
  readonly minor: number;
  readonly instead: string;
}

/** The Kubernetes version that dropped each, as the deprecation guide of Kubernetes lists them. */
const removals: ReadonlyMap<string, Removal> = new Map(
  (
    [
      ['extensions/v1beta1', 'Deployment DaemonSet ReplicaSet', 16, 'apps/v1'],
      ['apps/v1beta1', 'Deployment StatefulSet', 16, 'apps/v1'],
      ['apps/v1beta2', 'Deployment DaemonSet ReplicaSet StatefulSet', 16, 'apps/v1'],
      ['extensions/v1beta1', 'Ingress', 22, 'networking.k8s.io/v1'],
      ['networking.k8s.io/v1beta1', 'Ingress IngressClass', 22, 'networking.k8s.io/v1'],
      [
        'admissionregistration.k8s.io/v1beta1',
        'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
        22,
        'admissionregistration.k8s.io/v1',
      ],
      ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 22, 'apiextensions.k8s.io/v1'],
      ['apiregistration.k8s.io/v1beta1', 'APIService', 22, 'apiregistration.k8s.io/v1'],
      ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 22, 'certificates.k8s.io/v1'],
      ['coordination.k8s.io/v1beta1', 'Lease', 22, 'coordination.k8s.io/v1'],
      [
        'rbac.authorization.k8s.io/v1beta1',
        'ClusterRole ClusterRoleBinding Role RoleBinding',
        22,
        'rbac.authorization.k8s.io/v1',
      ],
      ['scheduling.k8s.io/v1beta1', 'PriorityClass', 22, 'scheduling.k8s.io/v1'],
      ['storage.k8s.io/v1beta1', 'CSIDriver CSINode StorageClass VolumeAttachment', 22, 'storage.k8s.io/v1'],
      ['batch/v1beta1', 'CronJob', 25, 'batch/v1'],
      ['events.k8s.io/v1beta1', 'Event', 25, 'events.k8s.io/v1'],
      ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', 25, 'autoscaling/v2'],
      ['policy/v1beta1', 'PodDisruptionBudget', 25, 'policy/v1'],
      ['policy/v1beta1', 'PodSecurityPolicy', 25, 'Pod Security Admission'],
      ['node.k8s.io/v1beta1', 'RuntimeClass', 25, 'node.k8s.io/v1'],
      ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 26, 'autoscaling/v2'],
    ] as const
  ).flatMap(([apiVersion, kinds, minor, instead]) =>
    kinds.split(' ').map((kind) => [`${apiVersion} ${kind}`, { minor, instead }] as const),
  ),
);
