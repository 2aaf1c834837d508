import type { NodeRules } from '../../node/nodeRules.ts';
import type { Messages } from '../write/messages.ts';

/** Whether neither manifests nor dumps have the requested Service, which is then reported. */
export async function isUnknownService(
  service: string | undefined,
  given: readonly string[],
  dumps: readonly NodeRules[],
  messages: Messages,
): Promise<boolean> {
  if (service === undefined) return false;
  const { refuseUnknownService } = await import('./refuseUnknownService.ts');
  refuseUnknownService(service, given, dumps, messages.report);
  return messages.hasErrors();
}
