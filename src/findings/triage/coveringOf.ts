import { type ChainKey, chainKeyText } from '../../node/chains/chainKey.ts';
import type { Finding } from '../finding.ts';

/** Findings of a comparison, and whether one of them says the same as another, or more. */
export interface Covering {
  readonly add: (finding: Finding) => void;
  /** `about`: the chain that it is about. */
  readonly isCovered: (finding: Finding, about: ChainKey | undefined) => boolean;
}

/** Sorted by id, Service and place: for a large dump in which everything is wrong, each side has a million findings. */
export function coveringOf(findings: readonly Finding[]): Covering {
  const byId = new Map<string, Covered>();
  const lacking = new Set<string>();
  const add = ({ code, service, found, rules = [] }: Finding) => {
    for (const rule of rules) if (rule.found === undefined) lacking.add(chainKeyText(rule));
    let covered = byId.get(code);
    if (covered === undefined) {
      covered = { services: new Set(), places: new Set() };
      byId.set(code, covered);
    }
    covered.services.add(service);
    for (const place of found) covered.places.add(placeKey(place));
  };
  for (const finding of findings) add(finding);
  return {
    add,
    isCovered: ({ code, service, found }, about) => {
      // What a chain lacks says that it is empty.
      if (code === 'K8N205' && about !== undefined && lacking.has(chainKeyText(about))) return true;
      // A copied rule is news regardless of what else is wrong with it.
      if (code === 'K8N105') return false;
      return (sameMatter.get(code) ?? [code]).some((rival) => {
        const covered = byId.get(rival);
        if (covered === undefined) return false;
        return (
          service === undefined ||
          covered.services.has(service) ||
          found.some((one) => covered.places.has(placeKey(one)))
        );
      });
    },
  };
}

/** What the findings with one id are about. */
interface Covered {
  readonly services: Set<string | undefined>;
  readonly places: Set<string>;
}

function placeKey({ file, line }: Finding['found'][number]): string {
  return `${line} ${file}`;
}

const sameMatter: ReadonlyMap<string, readonly string[]> = new Map([
  ['K8N302', ['K8N203', 'K8N204', 'K8N302']],
  ['K8N308', ['K8N203', 'K8N204', 'K8N308']],
  ['K8N403', ['K8N203', 'K8N204', 'K8N403']],
  ['K8N410', ['K8N410', 'K8N409', 'K8N404']],
  ['K8N404', ['K8N404', 'K8N410', 'K8N409']],
]);
