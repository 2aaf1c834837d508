import type { Command } from 'commander';
import type { DumpKind } from '../dump/dumpKind.ts';
import { collect } from './commonOptions.ts';

/** Options that name what a node says beside its rules. */
export interface FactFlags {
  readonly conntrack?: readonly string[];
  readonly routes?: readonly string[];
  readonly bridge?: readonly string[];
}

/** A file and what the option says that it holds. */
export interface FactFile {
  readonly path: string;
  readonly kind: DumpKind;
}

export function addFactOptions(command: Command): Command {
  return command
    .option('--conntrack <file>', 'what `conntrack -L` prints: UDP flows that are stuck; can be repeated', collect)
    .option('--routes <file>', 'what `ip route show table all` prints, for the addresses of kube-ipvs0', collect)
    .option('--bridge <file>', 'what `bridge -d link` prints: whether Pods can reach themselves', collect);
}

/** The files in the order of the options. */
export function factFiles({ conntrack = [], routes = [], bridge = [] }: FactFlags): readonly FactFile[] {
  return [
    ...conntrack.map((path): FactFile => ({ path, kind: 'conntrack' })),
    ...routes.map((path): FactFile => ({ path, kind: 'routes' })),
    ...bridge.map((path): FactFile => ({ path, kind: 'bridge' })),
  ];
}
