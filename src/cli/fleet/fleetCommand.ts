import type { WalkFlags } from '../dumps/readWalkNode.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import type { DiffFlags } from '../options/diffFlags.ts';
import type { ReportFlags } from '../options/reportOptions.ts';
import type { FleetFlags } from './fleetOptions.ts';

/** The question about each node; it is plain data because threads receive it. */
export type FleetCommand =
  | { readonly name: 'diff'; readonly options: DiffFlags & FleetFlags & { readonly filename: readonly string[] } }
  | { readonly name: 'doctor'; readonly options: DoctorFlags & FleetFlags };

export type DoctorFlags = WalkFlags & ReportFlags & MessageOptions;
