import type { PortRange } from '../common/addresses/portRange.ts';

/** What the API server was started with. */
export interface RuleSettings {
  readonly nodePortRange: PortRange;
  /** Rules are made: names of their chains need what a table does not show. */
  readonly needsPortNames: boolean;
}
