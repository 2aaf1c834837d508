import type { Report } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from './sourceObject.ts';

/** Says of which Services a table hides the names of ports: with several ports each needs one. */
export function reportHiddenNames(objects: readonly SourceObject[], report: Report): void {
  for (const { kind, value, detail, origin } of objects) {
    if (detail !== 1 || kind !== 'Service') continue;
    const { ports } = (value.spec ?? {}) as { readonly ports?: readonly unknown[] };
    if (ports === undefined || ports.length < 2) continue;
    const { name } = value.metadata as { readonly name: string };
    report({
      code: 'table-cut',
      severity: 'warning',
      message: `the names of the ${ports.length} ports of Service ${name} are not shown`,
      at: [origin],
      hint: `kubectl describe service ${name} shows them`,
    });
  }
}
