import type { DiffReport } from '../report/diffReport.ts';

/** One thing that makes a comparison fail. */
export interface ReportProblem {
  /** Stays the same from run to run, wherever lines and files have moved. */
  readonly fingerprint: string;
  /** `K8N203`; `unexplained`: rules differ in a way that no finding explains. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** `namespace/name`; undefined: it is about the node. */
  readonly service?: string;
  /** What a problem of the node is about: Services (`namespace/name`), or addresses that no Service has. */
  readonly parts: readonly string[];
  readonly seen: string;
  readonly why: string;
  readonly fix: string;
  /** The cluster IP of the Service is not there. */
  readonly isServiceMissing: boolean;
}

/** What makes a comparison fail, advice and notes left out, in the order of the report. */
export async function reportProblems(report: DiffReport): Promise<readonly ReportProblem[]> {
  const [{ isFailing }, { changeFingerprint, findingFingerprint }, { fixOf }, { serviceOfPort }] = await Promise.all([
    import('../report/isFailing.ts'),
    import('../report/ignore/fingerprint.ts'),
    import('../report/fixOf.ts'),
    import('../seen/names/serviceOfPort.ts'),
  ]);
  const problems: ReportProblem[] = [];
  for (const finding of report.findings) {
    const { code, severity, service, services = [], unknownTargets = [], what, why } = finding;
    if (!isFailing(finding) || severity === 'info') continue;
    const targets = unknownTargets.flatMap((target) =>
      target === undefined ? [] : target.kind === 'service' ? serviceOfPort(target.name) : target.address,
    );
    problems.push({
      fingerprint: findingFingerprint(finding),
      id: code,
      severity,
      ...(service !== undefined && { service: serviceOfPort(service) }),
      parts: [...new Set([...services.map(serviceOfPort), ...targets])],
      seen: what,
      why,
      fix: fixOf(finding, report),
      isServiceMissing: finding.isServiceMissing === true || code === 'K8N201',
    });
  }
  for (const change of report.changes) {
    const { table, chain, expected, found } = change;
    problems.push({
      fingerprint: changeFingerprint(change),
      id: 'unexplained',
      severity: 'error',
      parts: [],
      seen: `${table} ${chain}: ${expected === undefined ? `there is, and should not be: ${found}` : found === undefined ? `missing: ${expected}` : `${found}, where there should be: ${expected}`}`,
      why: 'The rule is not what kube-proxy writes for the objects of the cluster.',
      fix: 'k8snet diff --live node/NODE shows the chain.',
      isServiceMissing: false,
    });
  }
  return problems;
}
