import { parentPort, workerData } from 'node:worker_threads';
import type { FleetCommand } from './fleetCommand.ts';
import type { ThreadQuestion, ThreadReply } from './judgePool.ts';
import { openedText } from './openedText.ts';
import { openJudge } from './openJudge.ts';

/** Answers what the run asks that started this thread, until it is ended. Undefined: this is no thread. */
export async function judgeThread(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const command = workerData as FleetCommand;
  const say = (reply: ThreadReply) => port.postMessage(reply);
  const judge = await openJudge(command);
  port.on('message', ({ entry }: ThreadQuestion) => {
    judge.answer(entry).then(
      (answer) => say({ kind: 'answer', answer }),
      (error: unknown) => {
        const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
        say({ kind: 'failed', at: entry.at, trace: `${entry.given}: ${trace}` });
      },
    );
  });
  say({ kind: 'opened', opened: await openedText(judge, command.options) });
}
