import type { SenderKind } from '../../behaviour/packets/senderKinds.ts';
import type { WalkFlags } from '../dumps/readWalkNode.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import type { DiffFlags } from '../options/diffFlags.ts';
import type { MigrateFlags } from '../options/migrateFlags.ts';
import type { ReportFlags } from '../options/reportOptions.ts';
import type { ReachQuestion } from '../words/reachQuestion.ts';
import type { FleetFlags } from './fleetOptions.ts';

/** The question about each node; it is plain data because threads receive it. */
export type FleetCommand =
  | FindingsCommand
  | { readonly name: 'migrate'; readonly options: MigrateFlags & FleetFlags }
  | { readonly name: 'reach'; readonly options: ReachFleetFlags & FleetFlags };

export type FindingsCommand =
  | { readonly name: 'diff'; readonly options: DiffFlags & FleetFlags & { readonly filename: readonly string[] } }
  | { readonly name: 'doctor'; readonly options: DoctorFlags & FleetFlags };

export type DoctorFlags = WalkFlags & ReportFlags & MessageOptions;

/** `question`: which Service or address is asked for. */
export type ReachFleetFlags = WalkFlags &
  MessageOptions & {
    readonly question: ReachQuestion;
    readonly find?: readonly string[];
    readonly entrance?: readonly SenderKind[];
    readonly limit?: number;
    readonly output: string;
  };
