import { kubectlWords, type LiveOptions } from '../liveOptions.ts';

/** A container of a Pod. */
export interface PodContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** The command that runs a program there; with `input` it reads standard input. */
export function podProgram(
  { namespace, pod, container }: PodContainer,
  options: LiveOptions,
  program: readonly string[],
  input: readonly string[] = [],
): readonly string[] {
  // kubectl's time limit applies to one request, and running a program in a Pod is one.
  const { requestTimeout: _, ...unlimited } = options;
  const words = ['exec', ...input, `--namespace=${namespace}`, pod, `--container=${container}`, '--', ...program];
  return [...kubectlWords(unlimited), ...words];
}
