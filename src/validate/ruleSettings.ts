import type { PortRange } from '../common/portRange.ts';

/** What the API server was started with. */
export interface RuleSettings {
  readonly nodePortRange: PortRange;
}
