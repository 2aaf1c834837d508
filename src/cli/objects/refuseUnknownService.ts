import { namesMeant } from '../../common/namesMeant.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { namelessServices } from './namelessServices.ts';

/** What is known of Services. */
export interface KnownServices {
  /** Those of the manifests that get rules, as `namespace/name`. */
  readonly given: readonly string[];
  /** Those of the manifests that get none, with the reason. */
  readonly withoutRules?: ReadonlyMap<string, string> | undefined;
  readonly dumps: readonly NodeRules[];
}

/**
 * Refuses a `--service` that neither the manifests nor the dumps have: "0 Services: 0 same" would look as if all were
 * well. `option` is the user's option.
 */
export function refuseUnknownService(
  service: string,
  { given, withoutRules, dumps }: KnownServices,
  report: Report,
  option = '--service: ',
): void {
  const shown = new Set(dumps.flatMap((dump) => [...proxySeen(dump).names]));
  const asked = serviceOfPort(service);
  if (shown.has(asked)) return;
  const reason = withoutRules?.get(asked);
  if (reason !== undefined) {
    const message = `${option}kube-proxy has no rules for Service ${JSON.stringify(service)} (${reason})`;
    report({ code: 'bad-option', severity: 'error', message, at: [] });
    return;
  }
  const known = new Set([...given, ...shown]);
  if (known.has(asked) || (asked.includes('/') && dumps.some((dump) => mentions(dump, asked)))) return;
  const meant = guess(asked, [...known]);
  report({
    code: 'bad-option',
    severity: 'error',
    message: `${option}Service ${JSON.stringify(service)} not found in ${given.length > 0 ? 'the manifests or the dump' : 'the dumps'}`,
    at: [],
    hint: known.size === 0 ? namelessServices : meant === undefined ? asName : `did you mean ${meant}?`,
  });
}

const asName = 'give it as namespace/name, such as shop/web';

export function servicesOfObjects(objects: TraceObjects | undefined): Omit<KnownServices, 'dumps'> {
  return { given: objects?.services.map(({ name }) => name) ?? [], withoutRules: objects?.withoutRules };
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
