import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Locate } from '../../../diagnostics/place.ts';
import { createLocator } from '../../../load/locate.ts';
import type { Sources } from '../../../load/sources.ts';
import { shareWork } from '../../../public/core.ts';
import type { NodeAnswer } from '../../../report/fleet/fleetReport.ts';
import { reportFilter } from '../../options/reportOptions.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import type { FleetCommand } from '../fleetCommand.ts';
import { quietMessages } from '../quietMessages.ts';
import { answerOf, type LocatePlaces, problemAnswer } from './nodeAnswer.ts';

/** Judges one node after another, from what was read once. */
export interface Judge {
  /** Messages about what was read for all nodes. */
  readonly said: readonly Diagnostic[];
  readonly sources: Sources;
  readonly answer: (entry: FleetEntry) => Promise<NodeAnswer>;
}

/** Reads what is needed to judge all nodes. If there are errors among the messages, nothing can be judged. */
export async function openJudge(command: FleetCommand): Promise<Judge> {
  const messages = quietMessages();
  const shared = await shareWork();
  const judged =
    command.name === 'diff'
      ? await (await import('./judgeDiff.ts')).judgeDiff(command.options, shared, messages)
      : await (await import('./judgeDoctor.ts')).judgeDoctor(command.options, shared, messages);
  const filter = await reportFilter(command.options, messages, judged.scopes);
  const said = messages.diagnostics();
  const locate = locatorFor(judged.sources);
  return {
    said,
    sources: judged.sources,
    answer: async (entry) => {
      const own = quietMessages();
      const found = await judged.judge(entry, own);
      if (found.report === undefined) return problemAnswer(entry, found, own.diagnostics(), command.options);
      return answerOf(entry, { ...found, report: filter.shown(found.report) }, own.diagnostics(), {
        options: command.options,
        locate,
      });
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
