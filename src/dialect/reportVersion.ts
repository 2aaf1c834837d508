import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { knownVersions } from './knownVersions.ts';
import { modeTable } from './modeTable.ts';
import { compareKubeVersions, formatKubeVersion, type KubeVersion, parseKubeVersion } from './version.ts';

/** The first version that had the mode, as alpha. */
const firstOfMode: Readonly<Record<ProxyMode, KubeVersion>> = {
  iptables: { minor: 1, patch: undefined },
  ipvs: { minor: 8, patch: undefined },
  nftables: { minor: 29, patch: undefined },
  userspace: { minor: 0, patch: undefined },
};

/** Says where the asked version does not have the mode, or what it writes there is not known. */
export function reportVersion(version: KubeVersion, mode: ProxyMode, report: Report): void {
  const name = formatKubeVersion(version);
  const first = firstOfMode[mode];
  const known = knownVersions(mode);
  const [oldest, newest] = [known[0] ?? first, known.at(-1) ?? first];
  const removed = parseKubeVersion(modeTable(mode).removedIn ?? '');
  if (removed !== undefined && compareKubeVersions(version, removed) >= 0) {
    report({
      code: 'mode-unsupported',
      severity: 'error',
      message: `kube-proxy ${name} has no ${mode} mode any more`,
      at: [],
      hint: `${mode} mode was removed in ${formatKubeVersion(removed)}; give an older --kube-version`,
    });
  } else if (compareKubeVersions(version, first) < 0) {
    report({
      code: 'mode-not-in-version',
      severity: 'error',
      message: `kube-proxy ${name} has no ${mode} mode`,
      at: [],
      hint: `${mode} mode came with kube-proxy ${formatKubeVersion(first)}`,
    });
  } else if (compareKubeVersions(version, oldest) < 0) {
    report({
      code: 'kube-version-unknown',
      severity: 'error',
      message: `what kube-proxy ${name} writes in ${mode} mode is not known`,
      at: [],
      hint: `${mode} mode is known from kube-proxy ${formatKubeVersion(oldest)} on`,
    });
  } else {
    if (version.minor > newest.minor) reportNewer(name, newest, report);
    const deprecated = deprecatedIn(mode);
    if (deprecated !== undefined && compareKubeVersions(version, deprecated) >= 0) reportIpvs(deprecated, report);
  }
}

/** The first version that calls the mode deprecated. */
export function deprecatedIn(mode: ProxyMode): KubeVersion | undefined {
  return parseKubeVersion(modeTable(mode).deprecatedIn ?? '');
}

function reportIpvs(since: KubeVersion, report: Report): void {
  report({
    code: 'ipvs-deprecated',
    severity: 'warning',
    message: `kube-proxy's IPVS mode has been deprecated since Kubernetes ${formatKubeVersion(since)}`,
    at: [],
    hint: 'nftables mode replaces it: --mode nftables',
  });
}

function reportNewer(name: string, { minor }: KubeVersion, report: Report): void {
  report({
    code: 'kube-version-newer',
    severity: 'warning',
    message: `kube-proxy ${name} is newer than 1.${minor}, the newest that is known; its rules are written as those of 1.${minor}`,
    at: [],
    hint: '`k8snet versions` lists what is known',
  });
}
