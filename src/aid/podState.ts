import type { PodObject } from '../validate/kinds/manifests.ts';

/** Why a Pod is not ready, in the words of kubelet and scheduler; undefined: it is ready. */
export function whyNotReady({ metadata, status }: PodObject): string | undefined {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (metadata.deletionTimestamp) return 'it is being deleted';
  if (ready?.status === 'True') return undefined;
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return said('no node takes it', scheduled.reason, scheduled.message);
  for (const { name, state } of status?.containerStatuses ?? []) {
    const { reason, message } = state?.waiting ?? {};
    if (reason) return said(`container ${name ?? '?'} waits`, reason, message);
  }
  if (status?.phase === 'Pending') return 'its phase is Pending';
  if (ready === undefined) return 'it has no Ready condition';
  return said('its condition Ready is False', ready.reason, ready.message);
}

function said(what: string, reason: string | null | undefined, message: string | null | undefined): string {
  const first = message?.split('\n')[0]?.trim();
  const words = [reason, first].filter((each) => each !== undefined && each !== null && each !== '');
  return words.length === 0 ? what : `${what}: ${words.join(': ')}`;
}
