import type { ChainDiff } from '../compare/compareSets.ts';
import type { CompareLevel } from '../compare/diffChain.ts';
import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { SearchEndpoints } from '../node/chains/endpointSearch.ts';

export interface DiffOptions extends ObjectFacts {
  readonly level: CompareLevel;
  /** `ns/name`: only results about this Service. */
  readonly service?: string | undefined;
  /** Services (`namespace/name`) that changed while the dump was taken: they are not judged. */
  readonly changing?: ReadonlySet<string> | undefined;
  /** What differed in an earlier look at the node, as its report has it: what differs only now is not judged. */
  readonly earlier?: readonly ChainDiff[] | undefined;
  readonly hasNfacct: boolean;
  /** Looks for chains of endpoints in the dump in parallel; undefined: no thread is available. */
  readonly search?: SearchEndpoints | undefined;
  /** There are several Nodes, and nothing shows which one the dump comes from. */
  readonly isNodeUnknown?: boolean;
  /** Only one family was asked for; the other may be missing. */
  readonly family: 'ipv4' | 'ipv6' | 'both';
}
