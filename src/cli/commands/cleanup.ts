import { Command, Option } from 'commander';
import { type ProxyMode, proxyModes } from '../../common/proxy/proxyMode.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { SetExitCode } from '../write/setExitCode.ts';
import { writeOut } from '../write/writeOut.ts';

/** `k8snet cleanup`: a script that removes kube-proxy's rules from a node. */
export function cleanupCommand(setExitCode: SetExitCode): Command {
  return new Command('cleanup')
    .summary('print a script that removes the rules of a mode')
    .description(
      "Prints a POSIX shell script that removes what kube-proxy wrote in one mode, in both families and both back ends of iptables, and nothing else: other programs' chains, sets and tables stay. What the script cannot look into it names. Mode policy removes the rules of NetworkPolicies instead.",
    )
    .addOption(
      new Option('--mode <mode>', 'mode to clean up after; policy: NetworkPolicies')
        .choices([...proxyModes, 'policy'])
        .default('iptables'),
    )
    .addHelpText('after', examples)
    .action(async (options: { readonly mode: CleanupMode }) => {
      writeOut([await cleanupScript(options.mode)]);
      setExitCode(exitCodes.ok);
    });
}

type CleanupMode = ProxyMode | 'policy';

async function cleanupScript(mode: CleanupMode): Promise<string> {
  if (mode === 'policy') return (await import('../../script/policy/policyCleanup.ts')).policyCleanupScript();
  const { outputBackend } = await import('../../output/backends/outputBackends.ts');
  return (await outputBackend(mode)).cleanup();
}

const examples = `
Examples:
  k8snet cleanup --mode iptables | sudo sh
  k8snet cleanup --mode ipvs > cleanup.sh

Exit status: 0 done, 2 bad usage, 70 a bug of k8snet.
`;
