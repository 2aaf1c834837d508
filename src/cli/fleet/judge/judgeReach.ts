import type { NodeJudge } from './judgedNode.ts';
export function judgeReach(..._: unknown[]): Promise<NodeJudge> {
  throw new Error('later');
}
