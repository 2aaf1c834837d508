import { type Command, Option } from 'commander';
import type { Runtime } from '../../../derive/podFiles/resolvConfFile.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import type { NamespacedName } from '../../options/emitPodOptions.ts';
import { addPodDnsOptions, type PodDnsFlags, podDnsSettings } from '../../options/podDnsOptions.ts';
import { namespacedName } from '../../words/namespacedName.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type ResolvConfOptions = EmitFlags &
  PodDnsFlags & { readonly pod: NamespacedName; readonly runtime: Runtime; readonly output: 'text' | 'json' };

/** `k8snet emit resolv.conf`: the /etc/resolv.conf of a Pod. */
export function emitResolvConfCommand(setExitCode: SetExitCode): Command {
  const command = createEmitCommand(
    'resolv.conf',
    "a Pod's /etc/resolv.conf",
    "Prints the resolv.conf that a Pod gets by its dnsPolicy and dnsConfig. Without --node-resolv-conf the node's own search names, which ClusterFirst appends, are left out.",
  ).requiredOption('--pod <pod>', 'the Pod: NAMESPACE/NAME', namespacedName);
  addPodDnsOptions(command).addOption(
    new Option('--runtime <name>', 'whose order of lines').choices(['docker', 'containerd']).default('docker'),
  );
  addEmitOptions(command, ['text', 'json']);
  return command.addHelpText('after', examples).action(async (options: ResolvConfOptions) => {
    setExitCode(
      await emitTarget(options, emitNeeds.resolvConf, async (cluster, report) => {
        const [{ findPod }, { podDns }, { resolvConfFile }] = await Promise.all([
          import('../../../derive/findPod.ts'),
          import('../../../derive/podDns/podDns.ts'),
          import('../../../derive/podFiles/resolvConfFile.ts'),
        ]);
        const pod = findPod(cluster, options.pod, report);
        const conf = pod && podDns(cluster, pod, podDnsSettings(options, report), report);
        return conf && resolvConfFile(conf, options.runtime, options.output);
      }),
    );
  });
}

const examples = `
Examples:
  k8snet emit resolv.conf -f cluster.yaml --pod shop/web-0
  k8snet emit resolv.conf -f pod.yaml --pod web-0 --cluster-dns 10.96.0.10 --node-resolv-conf /etc/resolv.conf
  k8snet emit resolv.conf -f pod.yaml --pod web-0 --runtime containerd -o json

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
