import { type Lab, machine } from '../openLab.ts';

/** Closes what held probes of a machine have kept open. */
export async function releaseProbes(lab: Lab, from: string): Promise<void> {
  await machine(lab, from).ask('release');
}
