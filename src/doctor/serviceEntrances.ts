import { type CatalogEntrance, ruleEntrances } from '../trace/known/ruleEntrances.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';

/** The ways into Services by kube-proxy's own rules, that lead somewhere. */
export function serviceEntrances(input: WalkInput): readonly CatalogEntrance[] {
  return ruleEntrances(input).filter(
    ({ chain, port, rule }) => chain !== '' && port !== undefined && (rule === undefined || isOfProxy(rule.chain)),
  );
}
