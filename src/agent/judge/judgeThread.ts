import { parentPort } from 'node:worker_threads';
import { judge } from './judge.ts';
import type { Judgement, JudgeRequest } from './judgement.ts';

/** Compares in a thread of its own, so requests to the agent need not wait. */
export function judgeThread(): void {
  parentPort?.on('message', (request: JudgeRequest) => {
    judge(request)
      .catch((problem: Error): Judgement => ({ kind: 'undecided', why: `the comparison failed: ${problem.message}` }))
      .then((judgement) => parentPort?.postMessage(judgement));
  });
}
