import type { ProxyMode } from '../../common/proxyMode.ts';
import type { DialectIn } from '../../dialect/dialect.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { EqualChainsDraft } from '../../node/chains/equalChains.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Compiled } from '../compile.ts';

/** How the rules of one mode become data. What is printed of them stands in `output/backends`. */
export interface RulesBackend<M extends ProxyMode> {
  readonly mode: M;
  /** What one family's rules should be on a node. */
  readonly rules: (dialect: DialectIn<M>, plan: Plan, input: RulesInput) => readonly ToolRules[];
  /** Starts to look in a dump for what `rules` will ask of it, where that takes long. */
  readonly begin?: (dialect: DialectIn<M>, plan: Plan, dump: NodeRules, search: SearchEndpoints) => void;
}

export interface RulesInput {
  readonly compiled: Compiled;
  readonly options: EmitOptions;
  /** What the rules are compared with, if anything: of equal chains no copy is made, they go into `equal`. */
  readonly found: NodeRules | undefined;
  readonly equal: EqualChainsDraft;
  /** Looks for chains of endpoints in `found` beside everything else; undefined: nobody is there to do so. */
  readonly search: SearchEndpoints | undefined;
}
