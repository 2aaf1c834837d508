import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { noSources } from '../../load/noSources.ts';
import type { Sources } from '../../load/sources.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import { writeError } from './writeOut.ts';

/** Collects a run's messages and prints them on standard error: data goes to standard output, messages never do. */
export interface Messages {
  readonly report: Report;
  readonly hasErrors: () => boolean;
  readonly diagnostics: () => readonly Diagnostic[];
  /** A line of progress, only with `-v`: an expensive text is made only then. */
  readonly progress: (text: string | (() => string)) => void;
  /**
   * Prints what was reported since the last call: everything, or only errors under `-q`. `sources`: the texts that were
   * read.
   */
  readonly flush: (sources?: Sources) => Promise<void>;
  /** Of the same run, with nothing reported: for a look that replaces an earlier one. */
  readonly again: () => Messages;
}

export interface CollectOptions extends MessageOptions {
  /** Codes of unwanted warnings and notes; an error stops the run all the same. */
  readonly ignore?: readonly string[];
}

export function collectMessages(options: CollectOptions): Messages {
  const ignored = new Set(options.ignore);
  const all: Diagnostic[] = [];
  let printed = 0;
  // Asking for the time loads a part of Node.
  const start = options.verbose ? performance.now() : 0;
  return {
    report: (diagnostic) => {
      if (diagnostic.severity === 'error' || !ignored.has(diagnostic.code)) all.push(diagnostic);
    },
    hasErrors: () => all.some(({ severity }) => severity === 'error'),
    diagnostics: () => all,
    progress: (text) => {
      if (!options.verbose) return;
      const line = typeof text === 'string' ? text : text();
      writeError(`k8snet: ${(performance.now() - start).toFixed(0)} ms ${line}\n`);
    },
    flush: async (sources = noSources) => {
      const news = all.slice(printed).filter((one) => !options.quiet || one.severity === 'error');
      printed = all.length;
      if (news.length === 0) return;
      // Loaded only where there is something to say.
      const [
        { foldDiagnostics },
        { orderDiagnostics },
        { renderText },
        { createLocator },
        { chalkFor, diagnosticStyle },
      ] = await Promise.all([
        import('../../diagnostics/foldDiagnostics.ts'),
        import('../../diagnostics/orderDiagnostics.ts'),
        import('../../diagnostics/renderText.ts'),
        import('../../load/locate.ts'),
        import('./style.ts'),
      ]);
      const chalk = chalkFor(options.color, process.stderr.isTTY === true, process.env);
      const shown = options.verbose ? news : foldDiagnostics(news);
      const locate = await createLocator(
        sources,
        shown.flatMap(({ at }) => at),
      );
      writeError(renderText(orderDiagnostics(shown, locate), locate, diagnosticStyle(chalk)));
    },
    again: () => collectMessages(options),
  };
}
