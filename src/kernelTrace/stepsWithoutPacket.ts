import type { KernelStep } from './readKernelTrace.ts';

/** Lines that have no `PACKET` or `packet:` line before them. */
export function stepsWithoutPacket(steps: readonly KernelStep[]): number {
  return steps.filter(({ header }) => header === undefined).length;
}
