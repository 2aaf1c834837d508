import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { absenceFinding } from '../../findings/checks/absenceFinding.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/**
 * For commands that read Services from rules: the dump would show kube-proxy's, and has none. Undefined: it has some,
 * or cannot show it.
 */
export function absenceOf(node: NodeRules): Diagnostic | undefined {
  const finding = absenceFinding(node);
  if (finding === undefined) return undefined;
  const { what, why, fix } = finding;
  return { code: 'no-proxy-rules', severity: 'error', message: `${what}. ${why}`, at: [], hint: fix };
}
