import type { Report } from '../../diagnostics/diagnostic.ts';

/** Whether what a caller gives is what `load` gives, and not manifests as some other program parsed them. */
export function areObjects(given: unknown, report: Report): boolean {
  const areRead =
    Array.isArray(given) && given.every((one) => typeof one === 'object' && one !== null && 'value' in one);
  if (areRead) return true;
  const message = 'objects must be those that load or loadTexts gives';
  const hint = 'loadTexts([{ name, text }]) reads YAML and JSON, and readCluster a cluster';
  report({ code: 'bad-option', severity: 'error', message, at: [], hint });
  return false;
}
