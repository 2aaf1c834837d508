import type { Report } from '../../diagnostics/diagnostic.ts';
import { completedByDump } from '../../import/completedByDump.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { type Compiled, type CompileInput, compile } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { nodeOfDump } from '../nodeOfDump.ts';
import { reportMadeNames } from '../reportMadeNames.ts';
import { hidesEndpoints } from './hidesEndpoints.ts';
import { newestShown } from './versionsShown.ts';

/** Compiles objects with the names and for the Node that a dump shows; without a dump, for the Node that the input chooses. */
export function compileBesideDump(
  input: CompileInput,
  dump: NodeRules | undefined,
  asked: string | undefined,
  say: (sentence: string) => void,
  report: Report,
): Compiled | undefined {
  const { objects, named } = completedByDump(input.objects, () => dump && proxySeen(dump).services);
  reportMadeNames(named, report);
  // Endpoints that a table cuts off would be missing on the expected side.
  const seen = dump && objects.some(hidesEndpoints) ? proxySeen(dump).services : undefined;
  const target = { ...input.target, ...(seen && { seen }) };
  const chooseNode =
    dump === undefined ? input.chooseNode : nodeOfDump(dump, say, { ...(asked !== undefined && { asked }) });
  const shownVersion = dump && newestShown(dump, []);
  return compile({ ...input, objects, target, shownVersion, chooseNode }, report);
}
