import type { ProxyMode } from '../common/proxyMode.ts';
import { type Detection, detectVersions } from '../dialect/detectVersions.ts';
import type { Ruleset } from '../netfilter/iptables/ast.ts';
import { linesOf } from '../node/chainLines.ts';
import type { RuleChain, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';

/** Which versions of kube-proxy may have written what was dumped of a mode; undefined: nothing there that tells. */
export function detectedIn(mode: ProxyMode, found: readonly ToolRules[]): Detection | undefined {
  const sets = found.filter(({ kind, isLossy }) => kind === 'iptables' && !isLossy);
  if ((mode !== 'iptables' && mode !== 'userspace') || sets.length === 0) return undefined;
  const detection = detectVersions(sets.map(sampleOf));
  return detection.mode === mode ? detection : undefined;
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
