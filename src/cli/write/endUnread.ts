import type { Messages } from './messages.ts';

/** Ends a run whose cluster or node could not be read, which was reported: nothing after it has an answer. */
export async function endUnread(messages: Pick<Messages, 'flush'>): Promise<never> {
  await messages.flush();
  throw Object.assign(new Error('a cluster or a node could not be read'), { code });
}

/** Whether a run ended in this way, after it reported why. */
export function endedUnread(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === code;
}

const code = 'k8snet.unread';
