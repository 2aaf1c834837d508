import type { ApiAnswer } from '../clusterApi.ts';

/** The time limit of a request is over. */
export const tooSlow: ApiAnswer = {
  kind: 'failed',
  message: 'kubectl gave no answer in time',
  hint: '--request-timeout 2m waits longer',
};
