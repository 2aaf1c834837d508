import { stringify } from 'yaml';

/** An archive of a release that krew installs from. */
export interface KrewArchive {
  readonly os: string;
  readonly arch: string;
  readonly uri: string;
  readonly sha256: string;
  /** The program inside. */
  readonly bin: string;
}

/**
 * The manifest `k8snet.yaml`, from which krew installs `kubectl-k8snet`. krew links one program of a plugin and no
 * completion: that is a script in the archive, which the caveats say how to install.
 */
export function krewManifest(version: string, archives: readonly KrewArchive[]): string {
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'k8snet' },
      spec: {
        version: `v${version}`,
        shortDescription: 'Explain what kube-proxy writes on a node',
        description,
        caveats,
        platforms: archives.map(({ os, arch, uri, sha256, bin }) => ({
          selector: { matchLabels: { os, arch } },
          uri,
          sha256,
          bin,
        })),
      },
    },
    { lineWidth: 0 },
  );
}

const description = `Compiles Kubernetes manifests into the packet-filter rules that kube-proxy
leaves on a node (iptables, IPVS, nftables, NetworkPolicy), offline; reads such
rules back, compares them with what should be there, and says why a Service
does not answer. Nothing is changed, and no cluster is contacted without --live.
`;

const caveats = `For completion of "kubectl k8snet", put its script where krew puts plugins:

  cp "\${KREW_ROOT:-$HOME/.krew}"/store/k8snet/v*/kubectl_complete-k8snet "\${KREW_ROOT:-$HOME/.krew}"/bin/

"kubectl k8snet lab" needs Linux and root.
`;
