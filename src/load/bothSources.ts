import type { Sources } from './sources.ts';

/** The texts of two runs of reading; of a file that both read, the first. */
export function bothSources(first: Sources, second: Sources | undefined): Sources {
  if (second === undefined) return first;
  return {
    textOf: (file) => first.textOf(file) ?? second.textOf(file),
    itemOf: (file, item) => first.itemOf?.(file, item) ?? second.itemOf?.(file, item),
    formatOf: (file) => {
      const format = first.formatOf(file);
      return format === 'none' ? second.formatOf(file) : format;
    },
  };
}
