import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { NodeHead, NodeProblem, NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import { namesByPath } from '../entries/nodeNames.ts';

/** Which node it is, as far as something shows it, and what was said when it was read. */
export function nodeHead({ at, given }: FleetEntry, node: string | undefined, said: readonly Diagnostic[]): NodeHead {
  return { at, given, node: node ?? calledBy(given), isNamed: node !== undefined, problems: said.map(problemOf) };
}

/** The verdict on a node that could not be judged. */
export function unjudged(
  entry: FleetEntry,
  node: string | undefined,
  said: readonly Diagnostic[],
  code: number = exitCodes.badInput,
): NodeVerdict {
  return { ...nodeHead(entry, node, said), state: 'unjudged', code, body: '' };
}

/** The name that its path gives it, without extensions of files. */
function calledBy(given: string): string {
  const [name = given, shorter] = namesByPath(given);
  return /\.(?:save|txt|log|out|dump|rules|gz|tgz|tar|tar\.gz|json)$/.test(name) && shorter ? shorter : name;
}

function problemOf({ code, severity, message, hint }: Diagnostic): NodeProblem {
  return { code, severity, message, ...(hint !== undefined && { hint }) };
}
