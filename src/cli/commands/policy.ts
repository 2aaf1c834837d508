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
  return command.addHelpText('after', examples);
}

const examples = `
Examples:
  k8snet policy test -f cluster.yaml --from shop/web --to shop/db --port 5432
  k8snet policy matrix -f cluster.yaml
  k8snet policy explain -f cluster.yaml deny-all
`;
