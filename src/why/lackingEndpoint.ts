import type { Evidence } from '../diagnostics/problem.ts';
import type { CauseDraft } from './cause.ts';
import { fixes } from './fixes.ts';

/** Nobody answers at the destination `name`: the Service has no endpoints, or none here and a traffic policy Local. */
export function lackingEndpoint(lack: 'local' | 'any', name: string, evidence: readonly Evidence[]): CauseDraft {
  if (lack === 'local') {
    return {
      code: 'no-local-endpoint',
      what: `${name} has a traffic policy Local, and no endpoint is on this node.`,
      evidence,
      fix: fixes.otherNode,
    };
  }
  return {
    code: 'no-endpoints',
    what: `${name} has no endpoints: its Pods are not ready, its selector matches none, or its EndpointSlices are for other ports.`,
    evidence,
    fix: fixes.endpoints,
  };
}
