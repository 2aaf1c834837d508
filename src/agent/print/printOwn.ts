import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { everyNodeCommand, readNodeCommands } from '../../live/node/nodeCommands.ts';
import { printedRules } from '../../live/node/printedRules.ts';
import { readHere } from '../../live/node/readHere.ts';
import type { AgentOptions } from '../agentOptions.ts';
import { askAgent } from './askAgent.ts';
import type { printable } from './printable.ts';

/** One output, and whether it is what was asked for; otherwise `problem` says why not. */
export interface Printed {
  readonly text: string;
  readonly problem: string | undefined;
}

/** The report of the agent that runs here, or the current output of this node's programs. */
export async function printOwn(
  what: (typeof printable)[number],
  { node, listen, tls }: Pick<AgentOptions, 'node' | 'listen' | 'tls'>,
): Promise<Printed> {
  if (what === 'report') {
    const answer = await askAgent(listen, '/report', tls !== undefined, reportLimit);
    if (answer.kind === 'silent')
      return { text: '', problem: `no agent answers at ${listen.host}:${listen.port}: ${answer.message}` };
    return answer.status === 200
      ? { text: answer.text, problem: undefined }
      : { text: '', problem: `the agent answered ${answer.status}: ${answer.text.trim()}` };
  }
  const said: Diagnostic[] = [];
  const commands = what === 'rules' ? readNodeCommands : everyNodeCommand;
  const reading = await readHere(node, commands, readLimit, (problem) => said.push(problem));
  const problem = reading === undefined ? said.map(({ message }) => message).join('; ') : undefined;
  return { text: `${JSON.stringify(printedRules(reading, said))}\n`, problem };
}

/** Milliseconds. */
const reportLimit = 20_000;
const readLimit = 60_000;
