import type { TraceAnswer } from '../trace/show/traceAnswer.ts';
import { headOf } from './headOf.ts';
import type { Why } from './whyCauses.ts';

/** The result of `why`, as a trace gives it before the ways of the packet. */
export function traceAnswerOf(why: Why): TraceAnswer {
  const { verdict, causes, answeredBy } = why;
  const first = causes.find(({ code }) => code !== 'some-ways-only');
  return {
    verdict,
    headline: first && `${headOf(why)}${first.what}`,
    ...(answeredBy !== undefined && { answeredBy }),
    isWithoutProxy: causes[0]?.code === 'no-kube-proxy',
  };
}
