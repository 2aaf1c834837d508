import type { Report } from '../diagnostics/diagnostic.ts';
import { namedByDump } from '../import/namedByDump.ts';
import { seenServices } from '../import/seenServices.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type Compiled, type CompileInput, compile } from '../pipeline/compile.ts';
import { nodeOfDump } from './nodeOfDump.ts';

/** Compiles objects with the names and for the Node that a dump shows; without a dump, as they are. */
export function compileBesideDump(
  input: CompileInput,
  dump: NodeRules | undefined,
  asked: string | undefined,
  say: (sentence: string) => void,
  report: Report,
): Compiled | undefined {
  const objects = namedByDump(input.objects, () => (dump ? seenServices(dump) : new Map()));
  const chooseNode = dump && nodeOfDump(dump, say, { ...(asked !== undefined && { asked }) });
  return compile({ ...input, objects, chooseNode }, report);
}
