/** A Kubernetes version as `--kube-version` takes it: `1.30`, `1.18.6`, `v1.27.4-eks-1`. */
export interface KubeVersion {
  readonly minor: number;
  /** Undefined: the build that was recorded for this minor version. */
  readonly patch: number | undefined;
}

/** Reads a version; undefined if it is not a 1.x version. Build suffixes (`-eks-…`, `+k3s1`) are ignored. */
export function parseKubeVersion(text: string): KubeVersion | undefined {
  const match = /^v?1\.(\d{1,3})(?:\.(\d{1,3}))?(?:[-+][0-9A-Za-z.+-]*)?$/.exec(text.trim());
  if (!match) return undefined;
  return { minor: Number(match[1]), patch: match[2] === undefined ? undefined : Number(match[2]) };
}

/** `1.18.6` or `1.30`. */
export function formatKubeVersion(version: KubeVersion): string {
  return version.patch === undefined ? `1.${version.minor}` : `1.${version.minor}.${version.patch}`;
}

/** Older versions first; a version without a patch number stands before its patch releases. */
export function compareKubeVersions(a: KubeVersion, b: KubeVersion): number {
  return a.minor - b.minor || (a.patch ?? 0) - (b.patch ?? 0);
}
