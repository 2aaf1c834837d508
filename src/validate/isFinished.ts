import type { PodObject } from './kinds/manifests.ts';

/** The Pod has ended, with or without success: nothing reaches it any more. */
export function isFinished({ status }: Pick<PodObject, 'status'>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
