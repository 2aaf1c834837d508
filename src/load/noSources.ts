import type { Sources } from './sources.ts';

/** Of input that no diagnostic points into: a dump, or the command line alone. */
export const noSources: Sources = { textOf: () => undefined, formatOf: () => 'none' };
