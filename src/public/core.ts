/**
 * The program as functions, without files and without a terminal: all of this works in a browser too. A function that
 * takes options gives a {@link Result}: its value, and the diagnostics about the input. Nothing is thrown. Each
 * function loads the code it needs when it is called.
 */

// biome-ignore lint/performance/noBarrelFile: with api.ts the package's entry; each function loads its code on demand.
export * from './aid.ts';
export * from './behaviour.ts';
export * from './compare.ts';
export {
  type BesideDumpOptions,
  type CheckedObjects,
  checkObjects,
  compile,
  compileBesideDump,
  compileForDump,
  compileNode,
  endpointHomes,
  judgePoliciesOf,
  lint,
  modeCounts,
  policyRulesOf,
  type RulesOptions,
  readSettings,
  resolveCluster,
  rulesOf,
  type SharedWork,
  shareChecks,
  shareWork,
  toFiles,
} from './compile.ts';
export * from './dumps.ts';
export { loadTexts, unpackObjects } from './objects.ts';
export * from './policies.ts';
export * from './problems.ts';
export { orThrow, type Result, told } from './result.ts';
export * from './screen.ts';
export * from './serviceMap.ts';
export * from './trace.ts';
export type * from './types.ts';
