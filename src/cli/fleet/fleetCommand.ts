import type { MessageOptions } from '../commonOptions.ts';
import type { DiffFlags } from '../diffFlags.ts';
import type { WalkFlags } from '../readWalkNode.ts';
import type { ReportFlags } from '../reportOptions.ts';
import type { FleetFlags } from './fleetOptions.ts';

/** What is asked about each node; threads take it as it is, so that it is plain data. */
export type FleetCommand =
  | { readonly name: 'diff'; readonly options: DiffFlags & FleetFlags & { readonly filename: readonly string[] } }
  | { readonly name: 'doctor'; readonly options: DoctorFlags & FleetFlags };

export type DoctorFlags = WalkFlags & ReportFlags & MessageOptions;
