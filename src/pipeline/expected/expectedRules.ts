import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import { equalChains } from '../../node/chains/equalChains.ts';
import type { ExpectedRules } from '../../node/expectedRules.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { nodeRulesOf } from '../../node/ruleKinds.ts';
import { rulesBackendOf } from '../backends/rulesBackends.ts';
import type { Compiled } from '../compile.ts';

/** What rules are compared with, and a parallel search for chains of endpoints in it. */
export interface ComparedRules {
  readonly found?: NodeRules;
  readonly search?: SearchEndpoints | undefined;
  /** Rules that are mostly the same and kept too: chains of Services share the texts of theirs. */
  readonly like?: NodeRules | undefined;
  /** For somebody who asks for few chains, and compares nothing. */
  readonly isOnDemand?: boolean;
}

/**
 * What kube-proxy's rules on a node should be. They are compared with `found` if it is given: chains with the same text
 * are not copied.
 */
export function expectedRules(
  compiled: Compiled,
  options: EmitOptions,
  { found, search, like, isOnDemand = false }: ComparedRules = {},
): ExpectedRules {
  const equal = equalChains();
  const { dialect, plans } = compiled;
  const backend = rulesBackendOf(dialect);
  const rules = plans.flatMap((plan) =>
    backend.rules(dialect, plan, { compiled, options, found, equal, search, like, isOnDemand }),
  );
  return { rules: nodeRulesOf('manifests', rules), equal };
}
