import { firstFew } from '../../common/text/firstFew.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { Finding } from '../finding.ts';
import type { ReportContext } from './reportContext.ts';
import type { Triaged } from './triage.ts';

/** Removes findings about Services whose rules and objects come from different moments; a note names them. */
export function withoutServices(
  triaged: Triaged,
  { changing, diffs }: Pick<ReportContext, 'changing' | 'diffs'>,
): Triaged {
  const isLeftOut = (port: string) => changing.has(serviceOfPort(port));
  const chains = new Set(
    diffs.flatMap(({ chain, expected, found }) => {
      const owner = expected?.owner ?? found?.owner;
      return owner !== undefined && isLeftOut(owner) ? chain : [];
    }),
  );
  return {
    findings: triaged.findings.filter((finding) => !isAboutOnly(finding, isLeftOut)),
    changes: triaged.changes.filter(({ chain }) => !chains.has(chain)),
    notes: [...triaged.notes, changedMeanwhile(changing)],
    notCompared: [...triaged.notCompared, ...changing],
  };
}

/** Names Services (`namespace/name`) that are left out, and says why. */
export function changedMeanwhile(services: ReadonlySet<string>): string {
  return `changed while the node was read, and not judged: ${firstFew([...services].sort(), 3)}`;
}

function isAboutOnly({ service, services = [], unknownTargets = [] }: Finding, isLeftOut: (port: string) => boolean) {
  if (service !== undefined) return isLeftOut(service);
  if (services.length > 0) return services.every(isLeftOut);
  const isTargetLeftOut = (target: (typeof unknownTargets)[number]) =>
    target?.kind === 'service' && isLeftOut(target.name);
  return unknownTargets.length > 0 && unknownTargets.every(isTargetLeftOut);
}
