import type { FleetCommand } from '../fleetCommand.ts';
import type { CompileTask } from './compileTask.ts';

/** What a thread is started for; plain data. */
export type ThreadTask =
  | { readonly kind: 'judge'; readonly command: FleetCommand }
  | { readonly kind: 'compile'; readonly task: CompileTask };

/** What a thread says. */
export type ThreadReply<Opened, Answer> =
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly at: number; readonly trace: string };
