import { Command } from 'commander';
import type { SetExitCode } from '../program.ts';
import { policyCompileCommand } from './policyCompile.ts';
import { policyExplainCommand } from './policyExplain.ts';
import { policyMatrixCommand } from './policyMatrix.ts';
import { policyTestCommand } from './policyTest.ts';

/** `k8snet policy`: what NetworkPolicies allow, and the rules that enforce them. */
export function policyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('policy').summary('test, explain and compile NetworkPolicies');
  for (const add of [policyTestCommand, policyMatrixCommand, policyExplainCommand, policyCompileCommand]) {
    command.addCommand(add(setExitCode));
  }
  return command;
}
