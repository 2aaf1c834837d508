import { addDumpChecks, type ComparisonContext } from './addDumpChecks.ts';
import { addObjectFindings } from './addObjectFindings.ts';
import { foldFlushed } from './foldFlushed.ts';
import { foldJumps } from './foldJumps.ts';
import type { TriageStep } from './triage.ts';
import { withoutShared } from './withoutShared.ts';

/**
 * What the differences of one comparison mean. It begins with the findings that explain different chains. The result
 * does not depend on what was asked for, so comparisons with several versions can be compared with each other.
 */
export const comparisonSteps: readonly TriageStep<ComparisonContext>[] = [
  {
    name: 'checks of the dump',
    reason: 'A check says nothing new of a chain that is as expected, nor where an explained difference says the same.',
    apply: addDumpChecks,
  },
  {
    name: 'lost chains',
    reason: 'A chain that is missing needs words of its own only where nothing that leads to it was explained.',
    apply: (triaged, { voids }) => ({ ...triaged, findings: [...triaged.findings, ...voids(triaged.findings)] }),
  },
  {
    name: 'objects and settings',
    reason:
      'A fragment is about the Services that it names, and a lacking family is one thing to do with a lacking table.',
    apply: addObjectFindings,
  },
  {
    name: 'chance',
    reason: 'Which of several Services gets an address that all of them claim is left to chance.',
    apply: (triaged, { sharers }) => ({ ...triaged, findings: withoutShared(triaged.findings, sharers) }),
  },
  {
    name: 'lost jumps',
    reason: 'Built-in chains that lost their jumps together were flushed once: that is one finding.',
    apply: (triaged) => ({ ...triaged, findings: foldJumps(triaged.findings) }),
  },
  {
    name: 'flushed tables',
    reason: 'What went with a flushed table of nftables mode follows from that alone.',
    apply: (triaged, { found, plans }) =>
      found.reduce((all, { family, tables }) => {
        const plan = plans.find((one) => one.family === family);
        return plan === undefined
          ? all
          : [...tables.values()].reduce((one, table) => foldFlushed(one, table, plan), all);
      }, triaged),
  },
];
