import { dirname, join, normalize } from 'node:path';

/** A folder of `src/` whose files may import each other, and what else they may import. */
export interface Room {
  /** Path below `src/`; the longest that fits a file is its room. */
  readonly path: string;
  /** Rooms below this one that it must not know either. */
  readonly not?: readonly string[];
  /** The rooms below that it may know, where these are few. */
  readonly only?: readonly string[];
  /** May import modules of Node: all others also work in a browser. */
  readonly usesNode?: true;
}

/**
 * From the bottom to the top: a room imports only rooms that stand before it. The order is that in which data flows,
 * from manifests to rules, and from dumps over NodeRules to reports.
 */
export const rooms: readonly Room[] = [
  { path: 'common' },
  // What is known of every problem by its code, and the record that all problems share.
  { path: 'problems', only: ['common'] },
  { path: 'diagnostics', only: ['common', 'problems'] },
  { path: 'netfilter' },
  { path: 'load', not: ['netfilter'] },
  // What is read of a machine: files, folders, archives, standard input.
  { path: 'load/files', not: ['netfilter'], usesNode: true },
  { path: 'validate', not: ['netfilter'] },
  { path: 'dialect', not: ['load', 'validate'] },
  { path: 'model', not: ['netfilter', 'load'] },
  { path: 'resolve', not: ['netfilter', 'load'] },
  { path: 'plan', not: ['netfilter', 'load', 'validate', 'resolve'] },
  { path: 'policy', not: ['netfilter', 'load', 'resolve'] },
  { path: 'cidr', not: ['netfilter', 'load', 'validate', 'dialect', 'model', 'resolve', 'plan'] },
  { path: 'emit', not: ['load', 'resolve'] },
  // What else follows from a Cluster: no rules, and nothing of what makes them.
  { path: 'derive', not: ['load', 'resolve', 'emit'] },
  { path: 'script', not: ['load', 'validate', 'resolve'] },
  { path: 'node', only: ['common', 'problems', 'diagnostics', 'netfilter'] },
  { path: 'seen', only: ['common', 'netfilter', 'dialect', 'model', 'node'] },
  // What is wrong among objects that the API server accepts: each check once, for lint, compile, diff and doctor.
  { path: 'objects', not: ['netfilter', 'load', 'plan', 'emit', 'script', 'node', 'seen'] },
  { path: 'pipeline', not: ['script'] },
  { path: 'output', not: ['load', 'resolve'] },
  { path: 'dump', only: ['common', 'problems', 'diagnostics', 'netfilter', 'node'] },
  {
    path: 'import',
    only: ['common', 'problems', 'diagnostics', 'netfilter', 'node', 'seen', 'validate', 'dialect', 'model'],
  },
  { path: 'compare', only: ['common', 'problems', 'diagnostics', 'netfilter', 'node'] },
  { path: 'walk', only: ['common', 'problems', 'diagnostics', 'netfilter', 'node'] },
  { path: 'findings', not: ['load', 'emit', 'script', 'output', 'dump', 'import'] },
  { path: 'report', not: ['emit', 'script', 'output', 'dump', 'plan', 'resolve'] },
  {
    path: 'explain',
    not: [
      'netfilter',
      'load',
      'resolve',
      'emit',
      'script',
      'node',
      'output',
      'dump',
      'import',
      'compare',
      'findings',
      'report',
    ],
  },
  { path: 'diff', not: ['load', 'validate', 'resolve', 'plan', 'emit', 'script', 'output'] },
  { path: 'check', not: ['emit', 'script', 'plan', 'resolve'], usesNode: true },
  {
    path: 'trace',
    not: [
      'load',
      'validate',
      'resolve',
      'plan',
      'policy',
      'emit',
      'script',
      'objects',
      'output',
      'import',
      'report',
      'explain',
      'check',
    ],
  },
  {
    path: 'why',
    not: [
      'load',
      'validate',
      'resolve',
      'plan',
      'policy',
      'emit',
      'derive',
      'script',
      'objects',
      'output',
      'import',
      'report',
      'explain',
      'check',
    ],
  },
  { path: 'kernelTrace', only: ['common', 'problems', 'diagnostics', 'netfilter', 'node', 'walk', 'trace'] },
  {
    path: 'doctor',
    only: ['common', 'problems', 'netfilter', 'node', 'seen', 'findings', 'report', 'diff', 'walk', 'trace', 'why'],
  },
  { path: 'behaviour', not: ['load', 'validate', 'resolve', 'plan', 'emit', 'script', 'output'] },
  { path: 'aid', not: ['load', 'emit', 'script', 'output', 'dump', 'import', 'explain', 'check'] },
  {
    path: 'provenance',
    only: ['common', 'problems', 'diagnostics', 'netfilter', 'load', 'model', 'node', 'seen', 'pipeline', 'trace'],
  },
  {
    path: 'lab',
    not: [
      'load',
      'validate',
      'resolve',
      'policy',
      'emit',
      'script',
      'objects',
      'output',
      'import',
      'compare',
      'findings',
      'report',
      'explain',
      'check',
      'behaviour',
    ],
    usesNode: true,
  },
  { path: 'redact', only: ['common', 'netfilter'] },
  {
    path: 'live',
    only: ['common', 'problems', 'diagnostics', 'load', 'load/files', 'validate', 'script', 'dump'],
    usesNode: true,
  },
  // The public API, without files; `api.ts` adds reading of files and clusters.
  { path: 'public', not: ['live'] },
  { path: 'public/api.ts', usesNode: true },
  // Texts of a node, and what of them is about a few Services: bytes, before anything reads them.
  { path: 'agent/part', only: ['common', 'netfilter', 'node', 'seen'], usesNode: true },
  // The program of a DaemonSet: like commands it uses the API, and what reads a cluster.
  {
    path: 'agent',
    only: ['common', 'diagnostics', 'live', 'public', 'public/api.ts', 'agent/part'],
    usesNode: true,
  },
  // What runs in a browser knows the core alone.
  { path: 'page', only: ['common', 'public'] },
  // Commands use the API: they do not put the steps together themselves.
  { path: 'cli', not: ['pipeline', 'plan'], usesNode: true },
];

/** Rooms inside a room that must not know each other. */
const apart: readonly (readonly string[])[] = [
  ['emit/iptables', 'emit/ipvs', 'emit/nftables', 'emit/policy/iptables', 'emit/policy/nftables'],
];

/** One import that breaks the order, in words. */
export function roomProblems(file: string, text: string): readonly string[] {
  const own = roomOf(file);
  if (own === undefined) return [`${file} is in no room of scripts/rooms.ts`];
  const problems: string[] = [];
  for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm)) {
    if (path.startsWith('node:') && !own.usesNode)
      problems.push(`${file} imports ${path}: ${own.path} works without Node`);
    if (!path.startsWith('.')) continue;
    const target = normalize(join(dirname(file), path));
    const other = roomOf(target);
    if (other === undefined) problems.push(`${file} imports ${target}, which is in no room`);
    else if (other !== own) problems.push(...orderProblem(file, own, other));
    problems.push(...apartProblems(file, target));
  }
  return problems;
}

function roomOf(file: string): Room | undefined {
  const path = file.replace(/^src\//, '');
  return rooms
    .filter((room) => path === room.path || path.startsWith(`${room.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

function orderProblem(file: string, own: Room, other: Room): readonly string[] {
  if (rooms.indexOf(other) > rooms.indexOf(own))
    return [`${file} imports ${other.path}, which stands above ${own.path}`];
  const isOf = (path: string) => other.path === path || other.path.startsWith(`${path}/`);
  if (own.not?.some(isOf) || own.only?.includes(other.path) === false)
    return [`${file} imports ${other.path}, which ${own.path} must not know`];
  return [];
}

function apartProblems(file: string, target: string): readonly string[] {
  const inside = (path: string, list: readonly string[]) => list.find((room) => path.startsWith(`src/${room}/`));
  return apart.flatMap((list) => {
    const [one, other] = [inside(file, list), inside(target, list)];
    return one !== undefined && other !== undefined && one !== other
      ? [`${file} imports ${other}: emitters stand apart`]
      : [];
  });
}
