import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Messages } from '../write/messages.ts';

/** Keeps the messages of a look: a watch prints each of them when it is new, and then no more. */
export function watchMessages(): Messages {
  const all: Diagnostic[] = [];
  return {
    report: (diagnostic) => all.push(diagnostic),
    hasErrors: () => all.some(({ severity }) => severity === 'error'),
    diagnostics: () => all,
    progress: () => {},
    flush: async () => {},
    again: watchMessages,
  };
}

/** Problems as lines of a state; notes do not matter in a watch. */
export function* problemLines(messages: Messages): Iterable<readonly [key: string, text: string]> {
  for (const { code, severity, message } of messages.diagnostics())
    if (severity !== 'note') yield [`${code} ${message}`, `${severity}: ${message}`];
}
