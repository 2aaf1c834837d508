import type { RuleChange } from '../../compare/ruleChange.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { Finding } from '../finding.ts';

/**
 * Leaves out differences in the assignment of an address that several Services claim, by address: kube-proxy goes
 * through its Services in random order, so chance decides, and K8N903 says so.
 */
export function withoutShared(
  findings: readonly Finding[],
  sharers: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Finding[] {
  if (sharers.size === 0) return findings;
  return findings.filter((finding) => !isByChance(finding, sharers));
}

function isByChance(
  { code, service, names, rules = [] }: Finding,
  sharers: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (code === 'K8N903' || service === undefined) return false;
  const isShared = (address: string | undefined) =>
    address !== undefined && sharers.get(address)?.has(serviceOfPort(service)) === true;
  if (code === 'K8N215') return isShared(names?.address);
  // On both sides: a rule that is gone, or one too many, is not a question of order.
  const isOnBoth =
    rules.some(({ expected }) => expected !== undefined) && rules.some(({ found }) => found !== undefined);
  return isOnBoth && rules.every((rule) => isShared(addressOf(rule)));
}

/** `-A KUBE-SERVICES -d 203.0.113.9/32 …`, `203.0.113.9 . tcp . 80 : …`. */
function addressOf({ expected, found }: RuleChange): string | undefined {
  return /^(?:-A \S+ )?(?:-d )?([\da-f.:]+)(?:\/\d+)? /.exec(expected ?? found ?? '')?.[1];
}
