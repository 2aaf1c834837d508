import { commands } from '../../problems/catalogue/commands.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { FindingParts } from '../makeFinding.ts';
import type { ServiceIndex } from './serviceIndex.ts';

/** Why an address is left of a Service port that rules name: where the Service is there, it was changed. Empty: it is gone. */
export function leftReason(name: string | undefined, { services }: ServiceIndex): Pick<FindingParts, 'why' | 'fix'> {
  const service = serviceOfPort(name ?? '');
  if (!services.has(service)) return {};
  return {
    why: `kube-proxy lost an update of ${service}, which does not have this address and port any more, or the manifests are older than the rules.`,
    fix: commands.restart,
  };
}
