import type { Complain } from '../../fields/complain.ts';
import type { Manifests } from '../../kinds/manifests.ts';

/** sessionAffinityConfig without sessionAffinity: the API server drops it without a word. */
export function serviceAffinity(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const { sessionAffinity, sessionAffinityConfig } = service.value.spec;
    if (!sessionAffinityConfig || sessionAffinity === 'ClientIP') continue;
    complain(service, {
      code: 'unused-field',
      path: ['spec', 'sessionAffinityConfig'],
      part: 'key',
      message: 'has no effect: sessionAffinity is not ClientIP',
    });
  }
}
