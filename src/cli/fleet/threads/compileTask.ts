import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { NodeFilesOptions } from '../../../output/nodeFiles.ts';
import type { EmptyFlags, InputOptions } from '../../options/commonOptions.ts';
import type { PolicyCompileFlags } from '../../options/policyCompileOptions.ts';
import type { TargetFlags } from '../../options/targetOptions.ts';
import type { FleetEntry } from '../entries/fleetEntry.ts';
import type { FleetFlags } from '../fleetOptions.ts';

export type EveryNodeOptions = InputOptions &
  TargetFlags &
  EmptyFlags &
  Pick<PolicyCompileFlags, 'policy' | 'policyOnly'> &
  Pick<FleetFlags, 'jobs' | 'shard' | 'failFast'> & { readonly outDir?: string };

/** How every node of the input is compiled. */
export interface CompileTask {
  readonly options: EveryNodeOptions;
  readonly filesOptions: NodeFilesOptions;
}

/** A node, by its name. */
export interface CompileQuestion extends FleetEntry {
  /** False: it is only checked whether the node compiles. */
  readonly isWritten: boolean;
}

export interface CompileAnswer {
  readonly at: number;
  readonly said: readonly Diagnostic[];
  /** Files; undefined: they could not be written. */
  readonly written: number | undefined;
}
