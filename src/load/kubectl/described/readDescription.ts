import type { Described } from './described.ts';
import { describedEndpoints } from './describedEndpoints.ts';
import { describedNode } from './describedNode.ts';
import { describedPod } from './describedPod.ts';
import { describedService } from './describedService.ts';
import { describedSlice } from './describedSlice.ts';
import { type Description, description } from './description.ts';

/** Whether a line begins what `kubectl describe` prints. */
export function isDescription(line: string): boolean {
  return /^Name:[ \t]+\S/.test(line);
}

/** Whether a text has lines that only descriptions of the kinds that are read have. */
export function hasDescriptions(text: string): boolean {
  return marks.test(text);
}

const marks = /^(?:Session Affinity|Subsets|AddressType|System Info|Containers):/m;

/** Reads the lines of one description; undefined: of a kind that says nothing of Services. */
export function readDescription(lines: readonly string[]): Described | undefined {
  const shown = description(lines);
  return readers.find(({ key }) => shown.fields.some((field) => field.key === key))?.read(shown);
}

/** By a key that no description of another kind has. */
const readers: readonly { readonly key: string; readonly read: (shown: Description) => Described }[] = [
  { key: 'Session Affinity', read: describedService },
  { key: 'Subsets', read: describedEndpoints },
  { key: 'AddressType', read: describedSlice },
  { key: 'System Info', read: describedNode },
  { key: 'Containers', read: describedPod },
];
