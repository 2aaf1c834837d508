import { formatKubeVersion, type KubeVersion } from '../../dialect/version.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { detectedIn } from '../../seen/versions/detectedIn.ts';

/** A version other than the compiled one wrote the dump, or several did. */
export type DetectedVersion =
  /** `versions` that may have written it, the newest first. */
  | { readonly kind: 'other'; readonly versions: readonly KubeVersion[]; readonly finding: Finding }
  | { readonly kind: 'several' };

/** Detects versions by fingerprints; undefined: the compiled version may have written the dump. */
export function detectedVersion(compiled: Compiled, found: readonly ToolRules[]): DetectedVersion | undefined {
  const detection = detectedIn(compiled.model.config.mode, found);
  if (detection === undefined) return undefined;
  const { versions, fingerprints } = detection;
  const asked = formatKubeVersion(compiled.kubeVersion);
  if (versions.length === 0) return { kind: 'several' };
  const isAsked = versions.some(
    ({ minor, patch }) =>
      minor === compiled.kubeVersion.minor &&
      (patch === undefined || compiled.kubeVersion.patch === undefined || patch <= compiled.kubeVersion.patch),
  );
  if (isAsked) return undefined;
  const names = versions.map(formatKubeVersion);
  const range = names.length > 1 ? `${names[0]} to ${names.at(-1)}` : names[0];
  const finding = makeFinding('K8N109', {
    what: `kube-proxy ${range} writes such rules (${fingerprints[0]?.seen}), and ${asked} does not`,
    fix: `Compare with \`--kube-version ${names.at(-1)}\`.`,
  });
  return { kind: 'other', versions: [...versions].reverse(), finding };
}
