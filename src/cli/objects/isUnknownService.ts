import type { Messages } from '../write/messages.ts';
import type { KnownServices } from './refuseUnknownService.ts';

/** Whether neither manifests nor dumps have the requested Service, which is then reported. */
export async function isUnknownService(
  service: string | undefined,
  known: KnownServices,
  messages: Messages,
): Promise<boolean> {
  if (service === undefined) return false;
  const { refuseUnknownService } = await import('./refuseUnknownService.ts');
  refuseUnknownService(service, known, messages.report);
  return messages.hasErrors();
}
