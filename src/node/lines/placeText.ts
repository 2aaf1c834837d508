import type { DumpPlace } from './chainLines.ts';

/** `node1.save:31`; the file alone where no line of it shows what is meant. */
export function placeText({ file, line }: DumpPlace): string {
  return line > 0 ? `${file}:${line}` : file;
}
