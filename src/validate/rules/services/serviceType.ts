import type { Complain } from '../../fields/complain.ts';
import { dns1123SubdomainProblem } from '../../fields/names.ts';
import { quote } from '../../fields/quote.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../../kinds/manifests.ts';

/** What a Service of each type must and must not have: ports, a cluster IP, an external name. */
export function serviceType(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const { spec } = service.value;
    const type = spec.type ?? 'ClusterIP';
    const isHeadless = isNone(spec);
    if (!spec.ports?.length && !isHeadless && type !== 'ExternalName') {
      complain(service, {
        code: 'missing-field',
        path: ['spec', 'ports'],
        message: 'is required: a Service has at least one port',
      });
    }
    if (isHeadless && (type === 'NodePort' || type === 'LoadBalancer')) {
      const path = spec.clusterIP ? ['spec', 'clusterIP'] : ['spec', 'clusterIPs', 0];
      complain(service, { code: 'misplaced-field', path, message: `must not be None in a Service of type ${type}` });
    }
    if (type === 'ExternalName') checkExternalName(service, complain);
  }
}

function isNone(spec: ServiceObject['spec']): boolean {
  if (spec.clusterIPs?.length) return spec.clusterIPs.length === 1 && spec.clusterIPs[0] === 'None';
  return spec.clusterIP === 'None';
}

function checkExternalName(service: Manifest<ServiceObject>, complain: Complain): void {
  const { spec } = service.value;
  const forbidden: readonly (readonly [string, unknown])[] = [
    ['clusterIP', spec.clusterIP],
    ['clusterIPs', spec.clusterIPs?.length],
    ['ipFamilies', spec.ipFamilies?.length],
    ['ipFamilyPolicy', spec.ipFamilyPolicy],
  ];
  for (const [field, value] of forbidden) {
    if (!value) continue;
    complain(service, {
      code: 'misplaced-field',
      path: ['spec', field],
      message: 'is not allowed in a Service of type ExternalName',
    });
  }
  // A final dot says that the name is complete.
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const path = ['spec', 'externalName'];
  if (name === '') {
    complain(service, { code: 'missing-field', path, message: 'is required in a Service of type ExternalName' });
    return;
  }
  const problem = dns1123SubdomainProblem(name);
  if (problem !== undefined) complain(service, { code: 'bad-name', path, message: `${quote(name)} ${problem}` });
}
