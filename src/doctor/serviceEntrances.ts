import { type CatalogEntrance, ruleEntrances } from '../trace/ruleEntrances.ts';
import { isOfProxy } from '../trace/why/isOfProxy.ts';
import type { WalkInput } from '../walk/walkInput.ts';

/** The ways into Services by kube-proxy's own rules, that lead somewhere. */
export function serviceEntrances(input: WalkInput): readonly CatalogEntrance[] {
  return ruleEntrances(input).filter(
    ({ chain, port, rule }) => chain !== '' && port !== undefined && (rule === undefined || isOfProxy(rule.chain)),
  );
}
