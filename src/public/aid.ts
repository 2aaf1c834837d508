import type { ServiceQuestion as Asked } from '../aid/checkService.ts';
import type { ServiceCheck } from '../aid/serviceCheck.ts';
import type { Loaded } from '../load/loaded.ts';
import type { CompileOptions } from '../pipeline/compileInput.ts';
import { inputOf } from './compile.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { flag, list, set, text } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** Which Service is asked about, and what was read of the cluster and of its nodes. */
export interface ServiceQuestion extends Omit<Asked, 'input'> {
  /** Undefined: none were given. */
  readonly objects: Loaded['objects'] | undefined;
}

const questionRules: OptionRules<ServiceQuestion> = {
  service: (value) => (typeof value === 'string' && /^[^/]+\/[^/]+$/.test(value) ? undefined : 'namespace/name'),
  port: text,
  from: text,
  objects: list,
  isWhole: flag,
  hidden: set,
  changing: set,
  nodes: list,
  unread: list,
};

/**
 * Says whether one Service is in order; if not, the first cause, what shows it and what mends it, and what was looked at.
 */
export async function checkService(
  question: ServiceQuestion,
  options: CompileOptions = {},
): Promise<Result<ServiceCheck | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(question, questionRules, report)) return undefined;
    const { objects, ...asked } = question;
    const input = objects && inputOf(objects, options, report);
    if (objects !== undefined && input === undefined) return undefined;
    return (await import('../aid/checkService.ts')).checkService({ ...asked, input }, report);
  });
}
