import { isLeftOf } from '../isLeftOf.ts';
import type { ReportContext } from './reportContext.ts';
import type { TriageStep } from './triage.ts';
import { withoutNodeMatters } from './withoutNodeMatters.ts';
import { withoutServices } from './withoutServices.ts';

/** What of a comparison goes into a report. */
export const reportSteps: readonly TriageStep<ReportContext>[] = [
  {
    name: 'unknown node',
    reason: 'What depends on the Node cannot be judged where nothing shows which Node it is.',
    apply: (triaged, context) => (context.isNodeUnknown ? withoutNodeMatters(triaged, context) : triaged),
  },
  {
    name: 'changing Services',
    reason: 'Rules lag behind objects: what changed while both were read says nothing.',
    apply: (triaged, context) => (context.changing.size > 0 ? withoutServices(triaged, context) : triaged),
  },
  {
    name: 'one Service',
    reason: 'Who asks for one Service gets what is about it.',
    apply: (triaged, { service }) => {
      if (service === undefined) return triaged;
      const isAbout = (one: string | undefined) => one === service || one?.startsWith(`${service}:`) === true;
      const findings = triaged.findings.filter(
        (one) => isAbout(one.service) || one.services?.some(isAbout) || isLeftOf(one, service),
      );
      return { ...triaged, findings, changes: [] };
    },
  },
];
