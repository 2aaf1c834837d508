import { firstFew } from '../common/text/firstFew.ts';
import type { Report } from '../diagnostics/diagnostic.ts';

/** Reports once which Services have invented port names. */
export function reportMadeNames(services: readonly string[], report: Report): void {
  if (services.length === 0) return;
  report({
    code: 'table-cut',
    severity: 'warning',
    message: `neither the table nor the dump shows the names of all ports of ${firstFew(services, 3)}: those that begin with name-unknown are made up`,
    at: [],
    hint: 'for the names: kubectl get services,endpointslices -A -o json',
  });
}
