import { arrives, type TraceResult } from '../../trace/traceResult.ts';
import type { Why } from '../../why/whyCauses.ts';
import { exitCodes } from './exitCodes.ts';

/** The exit status of an answer about a packet and what comes back. */
export function verdictCode({ verdict }: Pick<Why, 'verdict'>): number {
  return { arrives: exitCodes.ok, fails: exitCodes.differs, unknown: exitCodes.undecided }[verdict];
}

/** For a trace, which is only about the packet: it shows what happens to the reply, which does not count. */
export function traceCode({ outcomes }: TraceResult, why: Why): number {
  const isAboutAnswer = why.causes.every(
    ({ code }) => code === 'way-back' || code === 'some-ways-only' || code === 'not-the-rules',
  );
  return isAboutAnswer && outcomes.every(({ first }) => arrives(first.end)) ? exitCodes.ok : verdictCode(why);
}
