import type { LabMachines } from '../network/labNetworkOf.ts';
import type { Lab } from '../openLab.ts';
import { countOutcomes } from './countOutcomes.ts';
import type { LabProbe } from './labProbe.ts';
import type { ProbeResult } from './labResult.ts';
import { type ProbeOutcome, runProbes } from './runProbes.ts';

/** Makes connections of one probe, at once, and says what became of each. */
export type AskProbe = (probe: LabProbe, count: number, timeoutMs: number) => Promise<readonly ProbeOutcome[]>;

export function createAskProbe(lab: Lab, { machineOf }: LabMachines): AskProbe {
  return async ({ from, source, to, port = 0, protocol }, count, timeoutMs) => {
    const machine = machineOf.get(from) ?? from.name;
    const bound = source === undefined ? {} : { sourceAddress: source };
    const [outcomes = []] = await runProbes(lab, [{ from: machine, to, port, protocol, count, timeoutMs, ...bound }]);
    return outcomes;
  };
}

/** Makes `count` connections of each probe. One that hears nothing says little: another endpoint may answer the next. */
export async function askProbes(
  probes: readonly LabProbe[],
  ask: AskProbe,
  count: number,
  timeoutMs: number,
): Promise<readonly ProbeResult[]> {
  return Promise.all(
    probes.map(async (probe) => ({ probe, outcomes: countOutcomes(await ask(probe, count, timeoutMs)) })),
  );
}
