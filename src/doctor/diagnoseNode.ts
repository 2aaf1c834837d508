import { diagnoseDump } from '../diff/diagnoseDump.ts';
import type { Finding } from '../findings/finding.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { isFailing } from '../report/isFailing.ts';
import { serviceOfPort } from '../seen/names/serviceOfPort.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { walkServices } from './walkServices.ts';

/**
 * What a dump says by itself, by the shape of its rules and by what becomes of packets to its Services. `objects`: of
 * manifests, where these were given; `further`: what was found beside them.
 */
export function diagnoseNode(dump: NodeRules, objects?: TraceObjects, further: readonly Finding[] = []): DiffReport {
  const report = diagnoseDump(dump);
  // Without any rule of kube-proxy that is all there is to say.
  if (report.findings.some(({ code }) => code === 'K8N111')) return report;
  const failing = placesOf(report.findings.filter(isFailing));
  const walked = [...walkServices(dump, objects).filter((finding) => !isAt(finding, failing)), ...further];
  if (walked.length === 0) return report;
  // What may be harmless by its shape is not, if packets are lost there.
  const seen = placesOf(walked);
  const findings = [...report.findings.filter((finding) => isFailing(finding) || !isAt(finding, seen)), ...walked];
  const differ = new Set(
    findings.flatMap(({ service, services = [] }) => (service ? [service] : services).map(serviceOfPort)),
  );
  const { summary } = report;
  return {
    ...report,
    findings,
    summary: { ...summary, same: Math.max(0, summary.services - differ.size), differ: differ.size },
  };
}

function placesOf(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ found }) => found.map(({ file, line }) => `${file}:${line}`)));
}

function isAt({ found }: Finding, places: ReadonlySet<string>): boolean {
  return found.some(({ file, line }) => places.has(`${file}:${line}`));
}
