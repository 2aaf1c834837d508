import type { SeenSettings } from '../../seen/settings/seenSettings.ts';
import { type ImportedManifest, remarkBook } from './manifest.ts';

/** The ServiceCIDRs of a cluster, which a node shows in nftables mode since 1.33: a range or two have one object's form. */
export function* serviceRangeManifest(settings: readonly SeenSettings[]): Iterable<ImportedManifest> {
  const ranges = settings.map(({ serviceCIDRs = [] }) => serviceCIDRs);
  const most = Math.max(0, ...ranges.map(({ length }) => length));
  for (let at = 0; at < most; at += 1) {
    const remarks = remarkBook();
    const metadata = { name: at === 0 ? 'kubernetes' : `service-cidr-${at + 1}` };
    if (at > 0) remarks.add(metadata, 'name', 'made up: rules show the ranges alone');
    const cidrs = ranges.flatMap((own) => own[at] ?? []);
    const value = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata, spec: { cidrs } };
    yield { value, remarks: remarks.all };
  }
}
