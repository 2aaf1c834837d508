import type { Report } from '../diagnostics/diagnostic.ts';
import { notAllowed } from './lists/kindProblem.ts';
import { type LiveKind, type LiveNeeds, liveKinds } from './lists/liveKinds.ts';

/**
 * Reports the kinds that a command needs and that the account of a snapshot could
 * not read. False: there is no answer without one of them.
 */
export function reportHiddenKinds(
  name: string,
  hidden: ReadonlySet<string>,
  { needs, uses, hasOtherPolicies = false }: LiveNeeds,
  report: Report,
): boolean {
  const tell = (of: LiveKind, isNeeded: boolean) => {
    const verb = of.only === undefined ? 'list' : 'get';
    report(notAllowed({ name }, { of, verb, message: 'the snapshot says so of its account' }, isNeeded));
    return !isNeeded;
  };
  const wanted = [...needs, ...uses].filter((each) => hidden.has(liveKinds[each].kind));
  const others = hasOtherPolicies ? [...hidden].filter((kind) => !usualKinds.has(kind)) : [];
  const isAboutPolicies = needs.includes('networkPolicies');
  return [
    ...wanted.map((each) => tell(liveKinds[each], needs.includes(each))),
    ...others.map((kind) => tell(otherPolicies(kind), isAboutPolicies)),
  ].every(Boolean);
}

const usualKinds: ReadonlySet<string> = new Set(Object.values(liveKinds).map(({ kind }) => kind));

function otherPolicies(kind: string): LiveKind {
  return {
    kind,
    resource: `objects of kind ${kind}`,
    groupVersions: [],
    isNamespaced: true,
    tells: `policies of kind ${kind}`,
  };
}
