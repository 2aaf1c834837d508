import type { Report } from '../diagnostics/diagnostic.ts';
import type { ProxyMode } from '../model/proxyConfig.ts';
import { dialectTable } from './table.ts';
import { formatKubeVersion, type KubeVersion, parseKubeVersion } from './version.ts';

/** The version that IPVS and nftables modes are written as, whatever is asked for. */
export const otherModesVersion: KubeVersion = { minor: 30, patch: undefined };

/** Says where the asked version is not known, or makes no difference in the mode. */
export function reportVersion(version: KubeVersion, mode: ProxyMode, report: Report): void {
  const name = formatKubeVersion(version);
  if (mode !== 'iptables') {
    if (version.minor === otherModesVersion.minor) return;
    report({
      code: 'kube-version-other-mode',
      severity: 'warning',
      message: `${mode} mode is written as kube-proxy ${formatKubeVersion(otherModesVersion)} does, not as ${name}`,
      at: [],
      hint: 'versions are told apart in iptables mode',
    });
    return;
  }
  const newest = dialectTable.map((row) => parseKubeVersion(row.version)?.minor ?? 0).reduce((a, b) => Math.max(a, b));
  if (version.minor <= newest) return;
  report({
    code: 'kube-version-newer',
    severity: 'warning',
    message: `kube-proxy ${name} is newer than 1.${newest}, the newest that is known; its rules are written as those of 1.${newest}`,
    at: [],
    hint: '`k8snet versions` lists what is known',
  });
}
