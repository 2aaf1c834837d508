import type { Command } from 'commander';
import { readDumpText } from '../../dumps/readDumpText.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import { clusterDomain, defaultClusterDomain, type NamespacedName } from '../../options/emitPodOptions.ts';
import { namespacedName } from '../../words/namespacedName.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type HostsOptions = EmitFlags & {
  readonly pod: NamespacedName;
  readonly clusterDomain: string;
  readonly nodeHosts?: string;
};

/** `k8snet emit hosts`: the /etc/hosts that the kubelet writes for a Pod. */
export function emitHostsCommand(setExitCode: SetExitCode): Command {
  const command = createEmitCommand(
    'hosts',
    "a Pod's /etc/hosts",
    'Prints the file that the kubelet puts at /etc/hosts of every container of a Pod.',
  )
    .requiredOption('--pod <pod>', 'the Pod: NAMESPACE/NAME', namespacedName)
    .option('--cluster-domain <domain>', "the cluster's DNS domain", clusterDomain, defaultClusterDomain)
    .option('--node-hosts <file>', "the node's own /etc/hosts, for Pods in the host's network");
  addEmitOptions(command, ['text']);
  return command.addHelpText('after', examples).action(async (options: HostsOptions) => {
    setExitCode(
      await emitTarget(options, emitNeeds.hosts, async (cluster, report) => {
        const { hostsFile } = await import('../../../derive/podFiles/hostsFile.ts');
        const nodeHosts = options.nodeHosts === undefined ? undefined : readDumpText(options.nodeHosts, report);
        const text = hostsFile(cluster, options.pod, { clusterDomain: options.clusterDomain, nodeHosts }, report);
        if (text === undefined) return undefined;
        const printed = [text];
        return { printed, files: [{ name: 'hosts', form: 'state', text: () => printed }], hasFindings: false };
      }),
    );
  });
}

const examples = `
Examples:
  k8snet emit hosts -f pod.yaml --pod shop/web-0
  kubectl get pod web-0 -n shop -o json | k8snet emit hosts -f - --pod shop/web-0
  k8snet emit hosts -f daemon.yaml --pod kube-system/agent-x --node-hosts /etc/hosts

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
