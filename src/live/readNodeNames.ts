import { compareBytes } from '../common/compareBytes.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { ClusterApi } from './clusterApi.ts';
import { reportProblem } from './lists/kindProblem.ts';
import { liveKinds } from './lists/liveKinds.ts';
import { readKind } from './lists/readKind.ts';

/**
 * The names of the nodes that a label selector chooses, in byte order; undefined: they cannot be read, which was
 * reported. If the account may not read them, `hide` is called instead, and there are none.
 */
export async function readNodeNames(
  api: ClusterApi,
  selector: string | undefined,
  report: Report,
  hide?: () => void,
): Promise<readonly string[] | undefined> {
  const answer = await readKind(api, liveKinds.nodes, undefined, selector);
  if (answer.kind === 'forbidden' && hide !== undefined) {
    hide();
    return [];
  }
  if (!reportProblem(api, answer, true, report) || answer.kind !== 'read') return undefined;
  const names = answer.items.flatMap(
    ({ metadata }) => (metadata as { readonly name?: string } | undefined)?.name ?? [],
  );
  if (names.length > 0) return names.sort(compareBytes);
  const message = `${api.name} has no node${selector === undefined ? '' : ` with the labels ${selector}`}`;
  report({ code: 'node-unread', severity: 'error', message, at: [] });
  return undefined;
}
