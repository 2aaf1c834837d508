import type { Endpoint } from '../../../model/endpoint.ts';
import type { EndpointNames } from '../nameStore.ts';
import type { PatternWords } from '../patterns/rulePattern.ts';

/** The rules of a Service port's endpoints, each in a chain of its own. */
export interface EndpointRules {
  /** The name of the Service port. */
  readonly name: string;
  /** Chains, in the order of the endpoints. */
  readonly chains: EndpointNames;
  readonly endpoints: readonly Endpoint[];
  /** Each writes one rule of an endpoint; Service ports with the same patterns share the writers. */
  readonly write: readonly ((words: PatternWords) => void)[];
}
