/**
 * What broken sources ask: which mutant is on, by the environment. It is copied into the copy of the project that has them;
 * the page's bundle and threads load it too.
 */
const { K8SNET_MUTANT: on, K8SNET_MUTANTS_REACHED: log } = globalThis.process?.env ?? {};
const chosen = Number(on ?? -1);
const reached = new Set<number>();

/** Whether a mutant is on; notes that its place was reached. */
export function k8snetIs(id: number): boolean {
  if (log !== undefined && !reached.has(id)) {
    reached.add(id);
    process.getBuiltinModule('node:fs').appendFileSync(log, `${id}\n`);
  }
  return id === chosen;
}

/** A finding with another severity, or about another Service. */
export function k8snetOther<Said extends { readonly severity: string; readonly service?: string }>(
  isOn: boolean,
  what: 'severity' | 'service',
  said: Said,
): Said {
  if (!isOn) return said;
  if (what === 'severity') return { ...said, severity: said.severity === 'warning' ? 'info' : 'warning' };
  return said.service === undefined ? said : { ...said, service: 'wrong/name' };
}
