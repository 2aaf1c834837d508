import type { Report } from '../../src/diagnostics/diagnostic.ts';

/** Messages that go to a callback, and have nothing to print. */
export function messagesTo(report: Report): { readonly report: Report; readonly flush: () => Promise<void> } {
  return { report, flush: async () => {} };
}
