import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { DialectIn } from '../../dialect/dialect.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { EqualChainsDraft } from '../../node/chains/equalChains.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Compiled } from '../compile.ts';

/** How the rules of one mode become data. Printing is in `output/backends`. */
export interface RulesBackend<M extends ProxyMode> {
  readonly mode: M;
  /** The rules of one family that should be on a node. */
  readonly rules: (dialect: DialectIn<M>, plan: Plan, input: RulesInput) => readonly ToolRules[];
  /** Starts long searches in a dump for what `rules` will need from it. */
  readonly begin?: (dialect: DialectIn<M>, plan: Plan, dump: NodeRules, search: SearchEndpoints) => void;
}

export interface RulesInput {
  readonly compiled: Compiled;
  readonly options: EmitOptions;
  /** What the rules are compared with, if anything: equal chains are not copied, they go into `equal`. */
  readonly found: NodeRules | undefined;
  readonly equal: EqualChainsDraft;
  /** Rules that are kept beside these, and have mostly the same texts. */
  readonly like?: NodeRules | undefined;
  /** Looks for chains of endpoints in `found` in parallel; undefined: no thread is available. */
  readonly search: SearchEndpoints | undefined;
  /** Few chains will be asked for. */
  readonly isOnDemand: boolean;
}
