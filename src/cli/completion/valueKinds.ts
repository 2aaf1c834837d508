import type { ArgumentEntry, FixedValues, OptionEntry } from './commandTable.ts';

/** What a value can be: known words, files, or names from the input. */
export interface ValueKind {
  readonly words?: readonly string[];
  readonly fixed?: readonly (keyof FixedValues)[];
  readonly names?: readonly NameKind[];
  readonly files?: 'files' | 'folders';
  /** Several, separated by commas. */
  readonly isList?: true;
}

/**
 * Names that manifests, dumps or a cluster have: a `typed` one says its kind, a `door` is a Pod or node with a port, a
 * `liveNode` stands where a dump does.
 */
export type NameKind =
  | 'service'
  | 'servicePort'
  | 'pod'
  | 'node'
  | 'namespace'
  | 'policy'
  | 'workload'
  | 'nodeParty'
  | 'door'
  | 'typedService'
  | 'typedPod'
  | 'typedNamespace'
  | 'chain'
  | 'liveNode';

/**
 * The value that an option takes, according to its name in the help page: `--service <service>` always takes a Service.
 * A name that is not here stands for something that only the user knows.
 */
export function kindOfOption({ choices, values }: OptionEntry, at: number): ValueKind {
  if (choices !== undefined) return { words: choices };
  return kindNamed(values[Math.min(at, values.length - 1)] ?? '');
}

export function kindOfArgument({ choices, name }: ArgumentEntry): ValueKind {
  if (choices !== undefined) return { words: choices };
  return (Object.hasOwn(argumentKinds, name) ? argumentKinds[name] : undefined) ?? kindNamed(name);
}

function kindNamed(name: string): ValueKind {
  return (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? {};
}

const sender: ValueKind = { words: ['node', 'outside'], names: ['pod', 'nodeParty'] };

const kinds: Readonly<Record<string, ValueKind>> = {
  file: { files: 'files' },
  path: { files: 'files' },
  dump: { files: 'files', names: ['liveNode'] },
  dir: { files: 'folders' },
  version: { fixed: ['versions'] },
  versions: { fixed: ['versions'] },
  ids: { fixed: ['findings'], isList: true },
  severity: { words: ['info', 'warning', 'error'], fixed: ['findings'] },
  codes: { fixed: ['diagnostics'], isList: true },
  protocol: { words: ['tcp', 'udp', 'sctp', 'icmp', 'icmpv6'] },
  service: { names: ['service', 'servicePort'] },
  pod: { names: ['pod'] },
  node: { names: ['node'] },
  namespace: { names: ['namespace'] },
  namespaces: { names: ['namespace'], isList: true },
  policy: { names: ['policy'] },
  chain: { names: ['chain'] },
  who: sender,
  from: sender,
  whom: { words: ['node', 'outside'], names: ['pod', 'typedService', 'nodeParty', 'workload'] },
  asker: { names: ['typedPod', 'typedNamespace'] },
  where: { names: ['servicePort', 'door'] },
  to: { names: ['servicePort', 'door'] },
};

/** Arguments whose names say less than those of options. */
const argumentKinds: Readonly<Record<string, ValueKind>> = {
  id: { fixed: ['findings', 'diagnostics', 'causes', 'topics'] },
  name: { names: ['chain', 'service', 'pod'], files: 'files' },
  words: { names: ['typedService'], files: 'files' },
};
