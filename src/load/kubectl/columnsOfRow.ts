import type { ShownKind } from './tableObject.ts';

/** The columns of a row that stands without its header, as `kubectl get … | grep NAME` leaves it. */
export interface RowColumns {
  readonly kind: ShownKind;
  readonly names: readonly string[];
}

/**
 * Finds out by what stands in its cells. Undefined: it may be anything else. kubectl until 1.7 prints Services without
 * their type, and Nodes without their roles.
 */
export function columnsOfRow(cells: readonly string[]): RowColumns | undefined {
  for (const columns of [serviceColumns, podColumns, nodeColumns, endpointsColumns]) {
    const found = columns(cells);
    if (found !== undefined && found.names.length === cells.length) return found;
  }
  return undefined;
}

function serviceColumns(cells: readonly string[]): RowColumns | undefined {
  const at = cells.findIndex((cell) => /^\d+(?::\d+)?\/(?:TCP|UDP|SCTP)(?:,|$)/.test(cell));
  const hasType = types.test(cells[at - 3] ?? '');
  if (at < 3 || !isAddress(cells[at - 2]) || !isAge(cells[at + 1])) return undefined;
  const before = namesBefore(at - (hasType ? 3 : 2));
  if (before === undefined) return undefined;
  const names = [...before, ...(hasType ? ['TYPE'] : []), 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE'];
  return { kind: 'Service', names: cells.length > names.length ? [...names, 'SELECTOR'] : names };
}

const types = /^(?:ClusterIP|NodePort|LoadBalancer|ExternalName)$/;

function podColumns(cells: readonly string[]): RowColumns | undefined {
  const at = cells.findIndex((cell) => /^\d+\/\d+$/.test(cell));
  if (!/^[A-Z][\w:]+$/.test(cells[at + 1] ?? '') || !/^\d+(?: \(.+\))?$/.test(cells[at + 2] ?? '')) return undefined;
  const before = namesBefore(at);
  if (before === undefined || !isAge(cells[at + 3])) return undefined;
  const names = [...before, 'READY', 'STATUS', 'RESTARTS', 'AGE'];
  const isLabelled = /^[\w./-]+=[\w.-]*(?:,|$)/.test(cells.at(-1) ?? '');
  const wide = ['IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES'];
  const more = wide.slice(0, cells.length - names.length - (isLabelled ? 1 : 0));
  return { kind: 'Pod', names: [...names, ...more, ...(isLabelled ? ['LABELS'] : [])] };
}

function nodeColumns(cells: readonly string[]): RowColumns | undefined {
  if (!/^(?:Not)?Ready(?:,|$)/.test(cells[1] ?? '')) return undefined;
  const version = cells.findIndex((cell) => /^v1\.\d+/.test(cell));
  if ((version !== 3 && version !== 4) || !isAge(cells[version - 1])) return undefined;
  const names = ['NAME', 'STATUS', ...(version === 4 ? ['ROLES'] : []), 'AGE', 'VERSION'];
  const wide = ['INTERNAL-IP', 'EXTERNAL-IP', 'OS-IMAGE', 'KERNEL-VERSION', 'CONTAINER-RUNTIME'];
  return { kind: 'Node', names: [...names, ...wide.slice(0, cells.length - names.length)] };
}

function endpointsColumns(cells: readonly string[]): RowColumns | undefined {
  const at = cells.length - 2;
  const before = namesBefore(at);
  const isList = /^(?:(?:[\d.]+|\[[\da-f:]+\]):\d+(?:,|$))+(?: \+ \d+ more\.\.\.)?$/.test(cells[at] ?? '');
  if (before === undefined || !isList || !isAge(cells[at + 1])) return undefined;
  return { kind: 'Endpoints', names: [...before, 'ENDPOINTS', 'AGE'] };
}

function namesBefore(count: number): readonly string[] | undefined {
  return count === 1 ? ['NAME'] : count === 2 ? ['NAMESPACE', 'NAME'] : undefined;
}

function isAddress(cell: string | undefined): boolean {
  return cell !== undefined && /^(?:None|<none>|[\d.]{7,15}|[\da-f:]*:[\da-f:.]*)$/.test(cell);
}

function isAge(cell: string | undefined): boolean {
  return cell !== undefined && /^(?:\d+[ydhms])+$|^<(?:unknown|invalid)>$/.test(cell);
}
