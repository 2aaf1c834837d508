import type { DumpPlace } from './chainLines.ts';

/** `node1.save:31`; only the file if none of its lines shows what is meant. */
export function placeText({ file, line }: DumpPlace): string {
  return line > 0 ? `${file}:${line}` : file;
}
