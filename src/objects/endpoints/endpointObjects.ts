import { canonicalIp } from '../../common/addresses/ip.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { podIps } from '../../model/podIps.ts';
import { nameOf } from '../../validate/fields/describe.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { PodObject, TargetRefObject } from '../../validate/kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../../validate/kinds/objectMeta.ts';
import type { LintContext, LintedService } from '../lintContext.ts';

/** Endpoints and EndpointSlices that belong to no Service, or lead where they should not. */
export function endpointObjects(context: LintContext): void {
  const { manifests } = context.cluster;
  const check = createAddressCheck(context);
  for (const manifest of manifests.endpoints) {
    const { metadata, subsets } = manifest.value;
    const linted = context.services.get(nameOf(metadata));
    const addresses = (subsets ?? []).flatMap((subset, index) =>
      (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
        (subset[list] ?? []).map(({ ip, targetRef }, at) => ({
          ip,
          targetRef,
          path: ['subsets', index, list, at, 'ip'],
        })),
      ),
    );
    if (linted === undefined && addresses.length > 0) reportOrphan(context, manifest, metadata.name);
    for (const { ip, targetRef, path } of addresses) check(manifest, linted, ip, targetRef, path);
  }
  for (const manifest of manifests.endpointSlices) {
    const { metadata, endpoints, addressType } = manifest.value;
    const name = metadata.labels?.['kubernetes.io/service-name'];
    if (!name || addressType === 'FQDN') continue;
    const linted = context.services.get(nameOf({ ...metadata, name }));
    if (linted === undefined && endpoints?.length) reportOrphan(context, manifest, name);
    for (const [index, { addresses, targetRef }] of (endpoints ?? []).entries()) {
      for (const [at, ip] of addresses.entries()) {
        check(manifest, linted, ip, targetRef, ['endpoints', index, 'addresses', at]);
      }
    }
  }
}

function reportOrphan(
  { namespacesWithServices, complain }: LintContext,
  manifest: Manifest<{ readonly metadata: ObjectMeta }>,
  name: string,
): void {
  const namespace = manifest.value.metadata.namespace || 'default';
  if (!namespacesWithServices.has(namespace)) return;
  complain(manifest, {
    code: 'endpoints-without-service',
    path: ['metadata', 'name'],
    message: `the input has no Service ${namespace}/${name}, whose endpoints these are: nothing leads to them`,
    hint: 'Endpoints have the name of their Service, EndpointSlices its name in the label kubernetes.io/service-name',
  });
}

type AddressCheck = (
  manifest: Manifest<unknown>,
  linted: LintedService | undefined,
  text: string,
  target: TargetRefObject | null | undefined,
  path: JsonPath,
) => void;

/** Cluster IPs of Services, and Pods that the Service does not select. */
function createAddressCheck({ services, podSpecs, cluster, complain }: LintContext): AddressCheck {
  const owners = new Map<string, LintedService>();
  for (const linted of services.values()) for (const ip of linted.service.clusterIPs) owners.set(ip, linted);
  const pods = new Map(podSpecs.filter(({ workload }) => workload === undefined).map((pod) => [pod.title, pod.labels]));
  const atAddress = podsByAddress(cluster.manifests.pods);
  return (manifest, linted, text, target, path) => {
    const owner = owners.get(canonicalIp(text) ?? '');
    if (owner !== undefined) {
      complain(manifest, {
        code: 'endpoint-is-cluster-ip',
        path,
        message: `${text} is the cluster IP of Service ${owner.service.id}: kube-proxy cannot lead to another virtual address`,
        hint: 'give the endpoints of that Service, or an ExternalName Service for its name',
      });
    }
    const selector = Object.entries(linted?.manifest.value.spec.selector ?? {});
    if (linted === undefined || selector.length === 0 || (target?.kind && target.kind !== 'Pod')) return;
    const title = target?.name
      ? `Pod ${linted.service.namespace}/${target.name}`
      : atAddress.get(canonicalIp(text) ?? '');
    const labels: Labels | undefined = pods.get(title ?? '');
    if (labels === undefined || selector.every(([key, value]) => labels[key] === value)) return;
    complain(manifest, {
      code: 'endpoint-not-selected',
      path,
      message: `${text} is ${title}, which Service ${linted.service.id} does not select`,
      hint: 'the controller takes it out of the list; change the labels or the selector, or leave the selector out',
    });
  };
}

/** Titles of Pods that have a network of their own, for endpoints that do not say whose address they are. */
function podsByAddress(pods: readonly Manifest<PodObject>[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { value } of pods) {
    if (value.spec?.hostNetwork || isFinished(value)) continue;
    for (const address of podIps(value)) found.set(address, `Pod ${nameOf(value.metadata)}`);
  }
  return found;
}
