import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Messages } from '../write/messages.ts';

/** Holds what a look has to say: in a watch it is a line when it is new, and not again. */
export function watchMessages(): Messages {
  const all: Diagnostic[] = [];
  return {
    report: (diagnostic) => all.push(diagnostic),
    hasErrors: () => all.some(({ severity }) => severity === 'error'),
    diagnostics: () => all,
    progress: () => {},
    flush: async () => {},
  };
}

/** Problems as lines of a state; notes are of no interest to who watches. */
export function* problemLines(messages: Messages): Iterable<readonly [key: string, text: string]> {
  for (const { code, severity, message } of messages.diagnostics())
    if (severity !== 'note') yield [`${code} ${message}`, `${severity}: ${message}`];
}
