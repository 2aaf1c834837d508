import { firstFew } from '../common/firstFew.ts';
import type { Finding } from '../findings/finding.ts';
import { serviceOfPort } from '../node/serviceOfPort.ts';
import type { Compared } from './compareManifests.ts';

/** Without what is about Services (`namespace/name`) whose rules and objects are not of one moment; a note names them. */
export function withoutServices(compared: Compared, services: ReadonlySet<string>): Compared {
  if (services.size === 0) return compared;
  const isLeftOut = (port: string) => services.has(serviceOfPort(port));
  const chains = new Set(
    compared.diffs.flatMap(({ chain, expected, found }) => {
      const owner = expected?.owner ?? found?.owner;
      return owner !== undefined && isLeftOut(owner) ? chain : [];
    }),
  );
  const changes = compared.changes.filter(({ chain }) => !chains.has(chain));
  const findings = compared.findings.filter((finding) => !isAboutOnly(finding, isLeftOut));
  const names = firstFew([...services].sort(), 3);
  const note = `changed while the node was read, and not judged: ${names}`;
  return { ...compared, findings, changes, notes: [...compared.notes, note] };
}

function isAboutOnly({ service, services = [], unknownTargets = [] }: Finding, isLeftOut: (port: string) => boolean) {
  if (service !== undefined) return isLeftOut(service);
  if (services.length > 0) return services.every(isLeftOut);
  const isTargetLeftOut = (target: (typeof unknownTargets)[number]) =>
    target?.kind === 'service' && isLeftOut(target.name);
  return unknownTargets.length > 0 && unknownTargets.every(isTargetLeftOut);
}
