import { type Family, familyNames } from '../../../common/addresses/family.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { ProxyHealth, ProxySyncs } from '../../../node/proxyFacts.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N217: kube-proxy itself reports that changes are waiting. Its health is a verdict, after two sync periods; failed
 * syncs with a waiting change are not one yet, since the next sync may succeed.
 */
export function syncChecks({ proxy }: NodeRules): readonly Finding[] {
  const sick = proxy.health.filter(({ isHealthy }) => !isHealthy);
  if (sick.length > 0) return sick.map(unhealthy);
  return proxy.syncs.flatMap((syncs) => failing(syncs) ?? []);
}

function unhealthy({ family, age, file, line }: ProxyHealth): Finding {
  const seen = `kube-proxy says that it is not healthy: its last successful sync of ${rules(family)} was ${timeText(age)} ago, and changes wait`;
  return makeFinding('K8N217', { what: seen, found: [{ file, line }] });
}

function failing({ family, lastSync, lastQueued, failures, file, line }: ProxySyncs): Finding | undefined {
  if (failures === 0 || lastQueued === undefined || (lastSync !== undefined && lastQueued <= lastSync))
    return undefined;
  const since =
    lastSync === undefined ? 'no sync has succeeded' : 'a change has come since the last one that succeeded';
  const seen = `kube-proxy counts ${failures} failed sync${failures === 1 ? '' : 's'} of ${rules(family)}, and ${since}`;
  return makeFinding('K8N217', { what: seen, found: [{ file, line }], severity: 'info', isAdvice: true });
}

function rules(family: Family | undefined): string {
  return family === undefined ? 'rules' : `${familyNames[family]} rules`;
}

/** `40 s`, `14 min`, `3 h`. */
function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
