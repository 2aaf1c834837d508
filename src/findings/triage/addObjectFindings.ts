import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { Finding } from '../finding.ts';
import type { ComparisonContext } from './addDumpChecks.ts';
import type { Triaged } from './triage.ts';

/** Adds findings of manifests, settings and facts, as far as they are about what the dump shows. */
export function addObjectFindings(triaged: Triaged, { ofObjects, named }: ComparisonContext): Triaged {
  const findings = [...triaged.findings];
  for (const finding of ofObjects) {
    const isInFragment =
      finding.service === undefined || named === undefined || named.has(serviceOfPort(finding.service));
    if (isInFragment && !addsToMissingTable(finding, findings)) findings.push(finding);
  }
  return { ...triaged, findings };
}

/** K8N107: a family that was not dumped is reported together with a missing table, as one thing to do. */
function addsToMissingTable({ code, what }: Finding, findings: Finding[]): boolean {
  const at = findings.findIndex((other) => other.code === 'K8N107');
  const table = findings[at];
  if (code !== 'K8N107' || table === undefined) return false;
  findings[at] = { ...table, what: `${table.what}; ${what}` };
  return true;
}
