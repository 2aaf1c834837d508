import type { Plan } from '../plan/plan.ts';
import { printSysctls, type Sysctl } from '../plan/sysctls.ts';
import type { Artefact } from './artefact.ts';
import { healthChecks, printHealthChecks } from './healthChecks.ts';

/** The files that every mode has: kernel settings, and what health checks answer. */
export function stateArtefacts(plans: readonly Plan[], sysctls: readonly Sysctl[]): readonly Artefact[] {
  return [
    { name: 'sysctl.conf', family: undefined, form: 'state', text: () => [printSysctls(sysctls)] },
    { name: 'health.txt', family: undefined, form: 'state', text: () => [printHealthChecks(healthChecks(plans))] },
  ];
}
