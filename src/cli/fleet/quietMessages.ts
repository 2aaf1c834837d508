import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Messages } from '../write/messages.ts';

/** Collects messages that are printed elsewhere. */
export function quietMessages(): Messages {
  const all: Diagnostic[] = [];
  return {
    report: (diagnostic) => {
      all.push(diagnostic);
    },
    hasErrors: () => all.some(({ severity }) => severity === 'error'),
    diagnostics: () => all,
    progress: () => {},
    flush: async () => {},
    again: quietMessages,
  };
}
