import type { Finding } from './finding.ts';

/** One of `findings` says the same of the same place, or more of it. */
export function isCovered(finding: Finding, findings: readonly Finding[]): boolean {
  const rivals = sameMatter.get(finding.id) ?? [finding.id];
  return findings.some(
    (other) =>
      rivals.includes(other.id) &&
      finding.id !== 'K8N105' &&
      (other.service === finding.service ||
        finding.service === undefined ||
        other.found.some(({ line, file }) => finding.found.some((own) => own.line === line && own.file === file))),
  );
}

const sameMatter: ReadonlyMap<string, readonly string[]> = new Map([
  ['K8N302', ['K8N203', 'K8N204', 'K8N302']],
  ['K8N403', ['K8N203', 'K8N204', 'K8N403']],
  ['K8N410', ['K8N410', 'K8N409', 'K8N404']],
  ['K8N404', ['K8N404', 'K8N410', 'K8N409']],
]);
