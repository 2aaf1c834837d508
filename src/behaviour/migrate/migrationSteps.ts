import { sharesChains } from '../../common/proxy/modeFacts.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import type { ProxyKind } from './proxyKind.ts';

/** One step of the switch, with the commands for it. NODE stands for the node. */
export interface MigrationStep {
  readonly says: string;
  readonly commands: readonly string[];
}

/** From one mode or version to another, node by node. */
export function migrationSteps(from: ProxyKind, to: ProxyKind): readonly MigrationStep[] {
  const isOtherMode = from.mode !== to.mode;
  const isOtherVersion = formatKubeVersion(from.version) !== formatKubeVersion(to.version);
  return [
    ...configSteps(to, { isOtherMode, isOtherVersion }),
    {
      says: 'Take the node out of use, so that no connection is cut that matters.',
      commands: ['kubectl drain NODE --ignore-daemonsets'],
    },
    {
      says: 'Start kube-proxy anew on this node: it reads the configuration when it starts. (The label is that of kubeadm; other installers have their own.)',
      commands: [restart, ready],
    },
    ...(isOtherMode ? cleanSteps(from, to) : []),
    {
      says: 'Compare what is on the node with what should be, and look at the packets of the first part of this report.',
      commands: [
        'k8snet collect -o script --from node | ssh NODE sudo sh -s -- /tmp/node',
        'scp -r NODE:/tmp/node .',
        `k8snet diff -f cluster.yaml --node NODE --mode ${to.mode} --kube-version ${formatKubeVersion(to.version)} node`,
      ],
    },
    {
      says: 'Put the node back into use, watch it, then go on with the next one.',
      commands: ['kubectl uncordon NODE'],
    },
  ];
}

const restart = 'kubectl -n kube-system delete pod -l k8s-app=kube-proxy --field-selector spec.nodeName=NODE';
const ready =
  'kubectl -n kube-system wait pod -l k8s-app=kube-proxy --field-selector spec.nodeName=NODE --for=condition=Ready --timeout=2m';

function configSteps(
  to: ProxyKind,
  { isOtherMode, isOtherVersion }: { readonly isOtherMode: boolean; readonly isOtherVersion: boolean },
): readonly MigrationStep[] {
  const steps: MigrationStep[] = [];
  if (isOtherVersion) {
    steps.push({
      says: `Set updateStrategy of the DaemonSet to OnDelete, so that nodes follow one by one, and its image to that of ${formatKubeVersion(to.version)}. Keep kube-proxy within the version skew that its API server supports.`,
      commands: ['kubectl -n kube-system edit daemonset kube-proxy'],
    });
  }
  if (isOtherMode) {
    steps.push({
      says: `Set mode: ${to.mode} in the KubeProxyConfiguration, with the settings named above. Nothing happens yet, but any kube-proxy that starts from now on, as after a boot, uses the new mode.`,
      commands: ['kubectl -n kube-system edit configmap kube-proxy'],
    });
  }
  return steps;
}

/** Both iptables and IPVS mode write chains with KUBE names: what clean-up removes from them is written again. */
function cleanSteps(from: ProxyKind, to: ProxyKind): readonly MigrationStep[] {
  const isShared = sharesChains(from.mode, to.mode);
  return [
    {
      says: isShared
        ? `Remove what ${from.mode} mode left. It removes chains that ${to.mode} mode writes too: kube-proxy is started once more behind it, and writes them again. Booting the node does the same.`
        : `Remove what ${from.mode} mode left: as long as both are there, the old rules still translate packets. Booting the node does the same.`,
      commands: [`k8snet cleanup --mode ${from.mode} | ssh NODE sudo sh`, ...(isShared ? [restart, ready] : [])],
    },
  ];
}
