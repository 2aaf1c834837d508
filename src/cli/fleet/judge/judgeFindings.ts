import type { Locate } from '../../../diagnostics/place.ts';
import { createLocator } from '../../../load/locate.ts';
import type { Sources } from '../../../load/sources.ts';
import type { SharedWork } from '../../../public/core.ts';
import { reportFilter } from '../../options/reportOptions.ts';
import type { Messages } from '../../write/messages.ts';
import type { FindingsCommand } from '../fleetCommand.ts';
import { findingsVerdict, type LocatePlaces } from './findingsVerdict.ts';
import type { NodeJudge } from './judgedNode.ts';

/** Judges nodes by findings, without those that are ignored. */
export async function judgeFindings(
  command: FindingsCommand,
  shared: SharedWork,
  messages: Messages,
): Promise<NodeJudge> {
  const { find, sources, scopes } =
    command.name === 'diff'
      ? await (await import('./judgeDiff.ts')).judgeDiff(command.options, shared, messages)
      : await (await import('./judgeDoctor.ts')).judgeDoctor(command.options, shared, messages);
  const filter = await reportFilter(command.options, messages, scopes);
  const input = { options: command.options, locate: locatorFor(sources) };
  return {
    sources,
    judge: async (entry, own) => {
      const { node, report } = await find(entry, own);
      return { node, verdict: report && ((head) => findingsVerdict(head, filter.shown(report), input)) };
    },
  };
}

/** Documents are parsed once for all nodes that have messages about them. */
function locatorFor(sources: Sources): LocatePlaces {
  let known: { readonly files: string; readonly locate: Locate } | undefined;
  return async (places) => {
    const files = [...new Set(places.map(({ file }) => file))].sort().join('\n');
    if (known?.files !== files) known = { files, locate: await createLocator(sources, places) };
    return known.locate;
  };
}
