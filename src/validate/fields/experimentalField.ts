import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Complain } from './complain.ts';

/** The standard channel of an API has no such field: its API server refuses the object. */
export function complainExperimental(policy: Manifest<unknown>, path: JsonPath, complain: Complain): void {
  complain(policy, {
    code: 'experimental-field',
    path,
    message: 'is a field of the experimental channel: clusters with the standard CRDs refuse it',
  });
}
