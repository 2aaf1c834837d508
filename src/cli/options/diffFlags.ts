import type { CompareLevel } from '../../compare/diffChain.ts';
import type { BehaviourFlags } from '../diffBehaviour.ts';
import type { FleetFlags } from '../fleet/fleetOptions.ts';
import type { WatchFlags } from '../watch/watchOptions.ts';
import type { InputOptions, MessageOptions } from './commonOptions.ts';
import type { FactFlags } from './factOptions.ts';
import type { LiveFlags } from './liveFlags.ts';
import type { ReportFlags } from './reportOptions.ts';
import type { TargetFlags } from './targetOptions.ts';

/** The options of `diff`. */
export type DiffFlags = Partial<Pick<InputOptions, 'filename'>> &
  Pick<InputOptions, 'recursive'> &
  LiveFlags &
  FactFlags &
  TargetFlags &
  ReportFlags &
  BehaviourFlags &
  WatchFlags &
  FleetFlags &
  MessageOptions & {
    readonly compare: CompareLevel | 'behaviour';
    readonly service?: string;
    readonly foreign: boolean;
    readonly nodes: boolean;
  };
