import { namesMeant } from '../../common/namesMeant.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { proxySeen } from '../../seen/proxySeen.ts';

/**
 * Refuses a `--service` that neither the manifests nor the dumps have: "0 Services: 0 same" would look as if all were
 * well. `given` are those of the manifests, as `namespace/name`; `option` is the user's option.
 */
export function refuseUnknownService(
  service: string,
  given: readonly string[],
  dumps: readonly NodeRules[],
  report: Report,
  option = '--service: ',
): void {
  const known = new Set(given);
  for (const dump of dumps) for (const name of proxySeen(dump).names) known.add(name);
  const asked = serviceOfPort(service);
  if (known.has(asked) || (asked.includes('/') && dumps.some((dump) => mentions(dump, asked)))) return;
  const meant = guess(asked, [...known]);
  report({
    code: 'bad-option',
    severity: 'error',
    message: `${option}Service ${JSON.stringify(service)} not found in ${given.length > 0 ? 'the manifests or the dump' : 'the dumps'}`,
    at: [],
    hint: meant === undefined ? 'give it as namespace/name, such as shop/web' : `did you mean ${meant}?`,
  });
}

/** A fragment may name a Service in any comment. */
function mentions(dump: NodeRules, service: string): boolean {
  const marks = [':', ' ', '"'].map((next) => `"${service}${next}`);
  return dump.iptables.some(({ tables }) =>
    [...tables.values()].some(({ chains }) =>
      [...chains.values()].some(({ text }) => marks.some((mark) => text.includes(mark))),
    ),
  );
}

/** Similar names, or some existing ones, the same namespace first. */
function guess(asked: string, known: readonly string[]): string | undefined {
  const meant = namesMeant(asked, known);
  if (meant.length > 0) return meant.join(' or ');
  const namespace = asked.slice(0, asked.indexOf('/') + 1);
  const besides = known.filter((one) => namespace !== '' && one.startsWith(namespace));
  const some = (besides.length > 0 ? besides : known).slice(0, 3).sort();
  return some.length === 0 ? undefined : some.join(' or ');
}
