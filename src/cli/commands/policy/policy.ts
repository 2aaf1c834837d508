import { Command } from 'commander';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { policyExplainCommand } from './policyExplain.ts';
import { policyMatrixCommand } from './policyMatrix.ts';
import { policyTestCommand } from './policyTest.ts';

/** `k8snet policy`: what NetworkPolicies allow. compile makes their rules. */
export function policyCommand(setExitCode: SetExitCode): Command {
  const command = new Command('policy').summary('test and explain NetworkPolicies');
  for (const add of [policyTestCommand, policyMatrixCommand, policyExplainCommand]) {
    command.addCommand(add(setExitCode));
  }
  return command.addHelpText('after', examples);
}

const examples = `
Examples:
  k8snet policy test -f cluster.yaml --from shop/web --to shop/db --port 5432
  k8snet policy matrix -f cluster.yaml --port 80
  k8snet policy explain -f cluster.yaml shop/default-deny

Their rules are printed by k8snet compile.
`;
