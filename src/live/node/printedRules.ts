import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { parseObject } from '../lists/readList.ts';
import type { HereReading } from './readHere.ts';

/** The output of `k8snet agent --print rules` about its node, for a k8snet elsewhere. */
export interface PrintedRules {
  readonly schema: 'k8snet.rules/v1';
  /** By the file that `collect` writes it to. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly problems: readonly Pick<Diagnostic, 'severity' | 'message'>[];
}

export function printedRules(reading: HereReading | undefined, problems: readonly Diagnostic[]): PrintedRules {
  return {
    schema: 'k8snet.rules/v1',
    files: (reading?.answers ?? []).map(({ command: { file }, bytes }) => ({ file, text: bytes.toString() })),
    problems: problems.map(({ severity, message }) => ({ severity, message })),
  };
}

/** Undefined: it is something else, or was cut. */
export function readPrintedRules(text: string): PrintedRules | undefined {
  const value = parseObject(text) as Partial<PrintedRules> | undefined;
  const isSound = value?.schema === 'k8snet.rules/v1' && Array.isArray(value.files) && Array.isArray(value.problems);
  return isSound ? (value as PrintedRules) : undefined;
}
