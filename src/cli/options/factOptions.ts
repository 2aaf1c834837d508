import type { Command } from 'commander';
import type { DumpKind } from '../../dump/dumpKind.ts';
import { collect } from './commonOptions.ts';

/** Options for what a node says apart from its rules. */
export interface FactFlags {
  readonly conntrack?: readonly string[];
  readonly routes?: readonly string[];
  readonly bridge?: readonly string[];
  readonly addresses?: readonly string[];
  readonly sysctl?: readonly string[];
  readonly modules?: readonly string[];
}

/** A file and its kind, according to the option. */
export interface FactFile {
  readonly path: string;
  readonly kind: DumpKind;
}

export function addFactOptions(command: Command): Command {
  return command
    .option(
      '--conntrack <file>',
      'what `conntrack -L` prints: UDP flows that are stuck, TCP connections that nobody answers; can be repeated',
      collect,
    )
    .option(
      '--routes <file>',
      'what `ip route show table all`, the same with `ip -6`, or `route -n` prints; can be repeated',
      collect,
    )
    .option('--bridge <file>', 'what `bridge -d link` prints: whether Pods can reach themselves', collect)
    .option('--addresses <file>', 'what `ip -d addr show` or `ifconfig -a` prints', collect)
    .option('--sysctl <file>', 'what `sysctl -a` prints', collect)
    .option('--modules <file>', 'what `lsmod` prints', collect);
}

/** The files in the order of the options. */
export function factFiles(flags: FactFlags): readonly FactFile[] {
  return (['conntrack', 'routes', 'bridge', 'addresses', 'sysctl', 'modules'] as const).flatMap((kind) =>
    (flags[kind] ?? []).map((path): FactFile => ({ path, kind })),
  );
}
