import type { Finding } from '../findings/finding.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { everyTool } from '../node/ruleKinds.ts';
import { trailItems } from '../walk/values/trail.ts';
import type { TraceResult } from './traceResult.ts';

/** Selects findings about rules that a trace met. */
export type FindMet = (result: TraceResult) => readonly string[];

/** The ids of findings whose places are among the rules and chains that the packet, the next one and the reply met. */
export function findMet(findings: readonly Finding[]): FindMet {
  const idsByPlace = new Map<string, string[]>();
  for (const { code, found } of findings) {
    for (const { file, line } of found) {
      const place = `${file}:${line}`;
      idsByPlace.set(place, [...(idsByPlace.get(place) ?? []), code]);
    }
  }
  return ({ outcomes }) => {
    const met = new Set<string>();
    for (const { first, later, reply } of idsByPlace.size === 0 ? [] : outcomes) {
      for (const walk of [first, later, reply]) {
        for (const { chain, rule } of trailItems(walk?.flow.path)) {
          for (const place of [rule, chain.place]) {
            for (const id of idsByPlace.get(`${place?.file}:${place?.line}`) ?? []) met.add(id);
          }
        }
      }
    }
    return [...met].sort();
  };
}

/** Looking for findings takes longer than the walk: for very large dumps that is left to `k8snet doctor`. */
export function isQuicklyDiagnosed(node: NodeRules): boolean {
  let length = 0;
  for (const { tables } of everyTool(node)) {
    for (const { chains } of tables.values()) for (const { text } of chains.values()) length += text.length;
  }
  return length < mostDiagnosed;
}

/** Characters: about 15,000 rules. */
const mostDiagnosed = 2_000_000;
