import { detectVersions } from '../dialect/detectVersions.ts';
import { formatKubeVersion, type KubeVersion } from '../dialect/version.ts';
import type { Finding } from '../findings/finding.ts';
import { makeFinding } from '../findings/makeFinding.ts';
import type { Ruleset } from '../netfilter/iptables/ast.ts';
import { linesOf } from '../node/chainLines.ts';
import type { RuleChain, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';
import type { Compiled } from '../pipeline/compile.ts';

/** Another version than the one that was compiled for wrote the dump, or several did. */
export type DetectedVersion =
  /** `versions` that may have written it, the newest first. */
  | { readonly kind: 'other'; readonly versions: readonly KubeVersion[]; readonly finding: Finding }
  | { readonly kind: 'several' };

/** Tells by marks of versions; undefined: the dump may well be of the version that was compiled for. */
export function detectedVersion(compiled: Compiled, found: readonly ToolRules[]): DetectedVersion | undefined {
  const sets = found.filter(({ kind, isLossy }) => kind === 'iptables' && !isLossy);
  if (compiled.model.config.mode !== 'iptables' || sets.length === 0) return undefined;
  const { versions, marks } = detectVersions(sets.map(sampleOf));
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
    seen: `kube-proxy ${range} writes such rules (${marks[0]?.seen}), and ${asked} does not`,
    fix: `Compare with \`--kube-version ${names.at(-1)}\`.`,
  });
  return { kind: 'other', versions: [...versions].reverse(), finding };
}

/** Some chains of each kind are enough to tell the version of a large cluster. */
function sampleOf(set: ToolRules): Ruleset {
  const counts = new Map<string, number>();
  return {
    kind: 'iptables',
    family: set.family,
    tables: [...set.tables.values()].map((table) => {
      const chains = [...table.chains.values()].filter(({ name }) => {
        const kind = /^KUBE-[A-Z]{2,3}-(?=[A-Z0-9]{16}$)/.exec(name)?.[0];
        if (kind === undefined) return true;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        return count <= sampled;
      });
      const declared = chains.filter(({ isDeclared }) => isDeclared);
      return {
        name: table.name,
        chains: declared.map(({ name, policy }) => (policy === undefined ? { name } : { name, policy })),
        rules: chains.flatMap((chain) =>
          rulesOf(linesOf(chain).length > longChain ? shortened(chain) : chain, set.family),
        ),
      };
    }),
  };
}

const sampled = 50;
const longChain = 500;

function shortened(chain: RuleChain): RuleChain {
  const lines = linesOf(chain);
  return { ...chain, text: [...lines.slice(0, longChain - 100), ...lines.slice(-100)].join('\n') };
}
