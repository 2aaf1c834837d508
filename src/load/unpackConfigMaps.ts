import type { Origin, Report } from '../diagnostics/diagnostic.ts';
import { loadTexts } from './loadTexts.ts';
import type { SourceObject } from './sourceObject.ts';

/**
 * Puts the KubeProxyConfiguration that a ConfigMap carries in the place of the ConfigMap: that is how clusters made by
 * kubeadm, EKS and others keep it (`kubectl get configmap kube-proxy -n kube-system`). Other objects stay as they are.
 */
export async function unpackConfigMaps(
  objects: readonly SourceObject[],
  report: Report,
): Promise<readonly SourceObject[]> {
  if (!objects.some(isProxyMap)) return objects;
  const unpacked: SourceObject[] = [];
  for (const object of objects) {
    if (!isProxyMap(object)) {
      unpacked.push(object);
      continue;
    }
    for (const [key, text] of configurations(object)) {
      // Places inside the text are not known to the file: the text itself stands for them.
      const origin: Origin = { ...object.origin, path: [...object.origin.path, 'data', key] };
      const inner = await loadTexts([{ name: key, text }], (diagnostic) => report({ ...diagnostic, at: [origin] }));
      const found = inner.objects.filter(({ kind }) => kind === 'KubeProxyConfiguration');
      for (const own of found) unpacked.push({ ...own, origin });
      if (found.length === 0) continue;
      report({
        code: 'proxy-config-map',
        severity: 'note',
        message: `kube-proxy's settings are those of ${key} in the ConfigMap`,
        at: [origin],
      });
    }
  }
  return unpacked;
}

function isProxyMap(object: SourceObject): boolean {
  return object.kind === 'ConfigMap' && object.apiVersion === 'v1' && configurations(object).length > 0;
}

function configurations({ value: { data } }: SourceObject): readonly (readonly [string, string])[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /(?:^|[{,])\s*"?kind"?\s*: *"?KubeProxyConfiguration\b/m.test(entry[1]),
  );
}
