import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { ObjectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';

/** A table of kubectl shows several ports, and the name of none. */
export function hidesPortNames(
  { detail }: { readonly detail?: number },
  ports: readonly { readonly name?: string | null | undefined }[],
): boolean {
  return detail !== undefined && ports.length > 1 && ports.every(({ name }) => !name);
}

/** One problem for all ports: rules are named after what is not there, and a name that was made up would give others. */
export function hiddenPortNames(path: JsonPath, count: number): ObjectDiagnostic {
  return {
    code: 'missing-field',
    path,
    message: `the table does not show the names of these ${count} ports, which names of chains are made from`,
    hint: 'give what `kubectl get services,endpointslices -A -o json` prints; beside a dump of a node the table is enough',
  };
}
