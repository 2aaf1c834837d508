import type { CompareLevel } from '../compare/diffChain.ts';
import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { SearchEndpoints } from '../node/chains/endpointSearch.ts';

export interface DiffOptions extends ObjectFacts {
  readonly level: CompareLevel;
  /** `ns/name`: only what is about this Service. */
  readonly service?: string | undefined;
  /** Services (`namespace/name`) that changed while the dump was taken: not judged. */
  readonly changing?: ReadonlySet<string> | undefined;
  readonly hasNfacct: boolean;
  /** Looks for chains of endpoints in the dump beside everything else; undefined: nobody is there to do so. */
  readonly search?: SearchEndpoints | undefined;
  /** Several Nodes are given, and nothing shows which of them the dump is of. */
  readonly isNodeUnknown?: boolean;
  /** Only one family was asked for; the other is not missed. */
  readonly family: 'ipv4' | 'ipv6' | 'both';
}
