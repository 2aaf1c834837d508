import { Command } from 'commander';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { reportMergeCommand } from './reportMerge.ts';

/** `k8snet report`: works on earlier output. */
export function reportCommand(setExitCode: SetExitCode): Command {
  return new Command('report')
    .summary('merge reports about many nodes')
    .addCommand(reportMergeCommand(setExitCode))
    .addHelpText('after', examples);
}

const examples = `
Examples:
  k8snet report merge report-*.jsonl
`;
