import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { factsCommand, factsText, type MissingFact } from './missingFact.ts';

/** Says what policies ask about and the input does not show: an error where rules would be made of it. */
export function factsMissing(facts: readonly MissingFact[], severity: 'error' | 'warning'): Diagnostic {
  const what =
    severity === 'error' ? 'rules made of them could open what policies close' : 'what they decide is unknown';
  const command = factsCommand(facts);
  return {
    code: 'policy-facts-missing',
    severity,
    message: `policies ask for what the input does not show: ${factsText(facts)}; ${what}`,
    at: [],
    ...(command !== undefined && {
      hint: `give what \`${command}\` prints; --assume-empty-labels takes what is not shown for none`,
    }),
  };
}
