import type { Family } from '../../common/addresses/family.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import type { ProxyHealth } from '../../node/proxyFacts.ts';
import type { DumpFile } from '../dumpFile.ts';

/**
 * The answer of kube-proxy's `/healthz`. Up to 1.32 it says when rules were last written, which is now while all is
 * well; since 1.33 it says for each family whether it is healthy.
 */
export function readHealthz({ name, text }: DumpFile, report: ReportLine): readonly ProxyHealth[] {
  const line = text.split('\n').findIndex((one) => one.trim() !== '') + 1;
  const answer = parse(text);
  const now = secondsOf(answer?.currentTime);
  const last = secondsOf(answer?.lastUpdated);
  if (answer === undefined || now === undefined || last === undefined) {
    report({ line: Math.max(line, 1), message: 'is not an answer of kube-proxy’s /healthz' });
    return [];
  }
  const place = { file: name, line };
  const families = Object.entries(answer.status ?? {}).flatMap(([key, value]): readonly ProxyHealth[] => {
    const family = familyNames.get(key);
    const updated = secondsOf(value?.lastUpdated);
    if (family === undefined || updated === undefined || typeof value?.healthy !== 'boolean') return [];
    return [{ family, isHealthy: value.healthy, age: Math.max(0, now - updated), ...place }];
  });
  if (families.length > 0) return families;
  const age = Math.max(0, now - last);
  // A node that is about to be deleted gets the answer of an unhealthy one.
  const isHealthy = answer.healthy ?? (age === 0 || answer.nodeEligible === false);
  return [{ isHealthy, age, ...place }];
}

/** As kube-proxy writes families, in `/healthz` and as the label `ip_family` of its metrics. */
export const familyNames: ReadonlyMap<string, Family> = new Map([
  ['IPv4', 'ipv4'],
  ['IPv6', 'ipv6'],
]);

interface Answer {
  readonly lastUpdated?: unknown;
  readonly currentTime?: unknown;
  readonly nodeEligible?: unknown;
  readonly healthy?: boolean;
  readonly status?: Readonly<Record<string, { readonly lastUpdated?: unknown; readonly healthy?: unknown } | null>>;
}

function parse(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 3339; up to 1.32 as Go prints a time: `2026-11-24 14:00:00.5 +0000 UTC m=+3.1`. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const spelled = value.replace(/^(\S+) (\S+) ([+-]\d\d)(\d\d) .*$/, '$1T$2$3:$4');
  const time = Date.parse(spelled);
  return Number.isNaN(time) ? undefined : time / 1000;
}
