import type { Report } from '../../diagnostics/diagnostic.ts';
import type { LiveFlags } from '../options/liveFlags.ts';

/** A question to a cluster that names no node may mean its nodes: notes that the rules are those of its objects. */
export function reportUnreadNodes(paths: readonly string[], { live }: LiveFlags, report: Report): void {
  if (live === undefined || paths.length > 0) return;
  report({
    code: 'nodes-not-read',
    severity: 'note',
    message: 'no node was read: the rules are those that kube-proxy should have written for these objects',
    at: [],
    hint: 'node/NAME reads what that node really has',
  });
}
