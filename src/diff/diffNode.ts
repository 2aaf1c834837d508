import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { Finding } from '../findings/finding.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { holdsPolicyRules } from '../node/programs/policyPrograms.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { serviceOfPort } from '../seen/names/serviceOfPort.ts';
import { diffManifests } from './diffManifests.ts';
import type { DiffOptions } from './diffOptions.ts';
import type { CompiledForDump } from './settle/compileForDump.ts';

/** Compares everything that should be on a node, Services and NetworkPolicies, with a dump of it. */
export async function diffNode(
  { compiled, facts, missing, notes, dump, search, takesFromDump, isPart, isNodeUnknown, hasNfacct }: CompiledForDump,
  options: Omit<DiffOptions, keyof ObjectFacts>,
): Promise<DiffReport> {
  const services = diffManifests(compiled, dump, {
    ...options,
    ...facts,
    search,
    isNodeUnknown,
    hasNfacct: options.hasNfacct || hasNfacct,
  });
  const isAsked = ({ service }: { readonly service?: string }) =>
    (options.service === undefined || service === options.service) &&
    !(service !== undefined && options.changing?.has(serviceOfPort(service)));
  const lost = missing.filter(isAsked);
  const { summary } = services;
  const isOpenEnded = isPart && !modeFacts[compiled.model.config.mode].namesServices;
  const isNews = (finding: Finding) =>
    !(takesFromDump && finding.code === 'K8N501') && !(isOpenEnded && isBeyond(finding));
  const report: DiffReport = {
    ...services,
    // The endpoints in the dump are all that is known: their absence from the input is not news.
    findings: [...services.findings.filter(isNews), ...lost],
    changes: isOpenEnded ? services.changes.filter(({ expected }) => expected !== undefined) : services.changes,
    notes: [...notes, ...(hasNfacct && !options.hasNfacct ? [nfacctNote] : []), ...services.notes],
    summary: {
      ...summary,
      services: summary.services + lost.length,
      missing: summary.missing + lost.length,
    },
  };
  // A comparison of one Service leaves policies out, and input without policies does not load their code.
  if (options.service !== undefined) return report;
  if (policiesGiven(compiled.policyManifests) === 0) {
    return holdsPolicyRules(dump) ? { ...report, notes: [...report.notes, noPoliciesGiven] } : report;
  }
  const { diffPolicies } = await import('./policies/diffPolicies.ts');
  const policies = diffPolicies(compiled, dump, isPart);
  return {
    ...report,
    findings: [...report.findings, ...policies.findings],
    changes: [...report.changes, ...policies.changes],
    notes: [...report.notes, ...policies.notes],
  };
}

const noPoliciesGiven = 'rules of policies were not compared: no policy is among the manifests';

const nfacctNote = 'settings as the dump shows them: --nfacct';

/** What the dump holds beyond the Services of the objects. */
function isBeyond({ code, service, services = [], rules }: Finding): boolean {
  if (service !== undefined || services.length > 0) return false;
  return rules === undefined ? code === 'K8N701' : rules.every(({ expected }) => expected === undefined);
}
