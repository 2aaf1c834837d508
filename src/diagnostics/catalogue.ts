import type { Severity } from './diagnostic.ts';

/** What a code means, for `docs/diagnostics.md`; the words of one occurrence come from where it is reported. */
export interface DiagnosticKind {
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Every code there is: a code that is not in this table does not compile. */
export const catalogue = {
  'allocated-cluster-ip': {
    severity: 'warning',
    summary: 'A Service has no cluster IP; one was chosen from the service range.',
    remedy:
      'Set `spec.clusterIP`, or read the Service from the cluster (`kubectl get service -o yaml`); `--no-allocate` leaves such Services without rules.',
  },
  'allocated-health-check-port': {
    severity: 'warning',
    summary: 'A load-balancer Service with policy Local has no health-check node port; one was chosen.',
    remedy: 'Set `spec.healthCheckNodePort`, or read the Service from the cluster.',
  },
  'allocated-node-port': {
    severity: 'warning',
    summary: 'A port of a Service that needs a node port has none; one was chosen.',
    remedy: 'Set `nodePort`, or read the Service from the cluster.',
  },
  'assumed-pods': {
    severity: 'note',
    summary: 'Pods of a workload were made up, with addresses from the pod CIDR.',
    remedy: 'Give the real Pods or EndpointSlices to get the real addresses.',
  },
  'bad-option': {
    severity: 'error',
    summary: 'A command-line option is unknown, incomplete or has a value that cannot be used.',
    remedy: 'See `k8snet help COMMAND`.',
  },
  'family-left-out': {
    severity: 'note',
    summary: 'Rules of one IP family were compiled but are not printed.',
    remedy: 'Choose with `--family`, or write every artefact with `--out-dir`.',
  },
  'ipvs-deprecated': {
    severity: 'warning',
    summary: "kube-proxy's IPVS mode is deprecated since Kubernetes 1.35.",
    remedy: 'Use `--mode nftables`.',
  },
  'kube-version-newer': {
    severity: 'warning',
    summary: 'The Kubernetes version is newer than the newest that is known; the newest profile is used.',
    remedy: 'Check the output against such a node, or give an older `--kube-version`.',
  },
  'kube-version-other-mode': {
    severity: 'warning',
    summary: 'Versions are told apart in iptables mode only; other modes are written as kube-proxy 1.30 does.',
    remedy: 'Leave `--kube-version` out in this mode.',
  },
  'named-port-missing': {
    severity: 'warning',
    summary: 'A Service targets a port name that a selected Pod does not have.',
    remedy: 'Name the container port, or correct `targetPort`.',
  },
  'nft-bridge-needed': {
    severity: 'note',
    summary: 'The rules match a bridge by its index, so nft loads them only where the bridge exists.',
    remedy: 'Create the bridge before the rules are loaded.',
  },
  'nft-octal-address': {
    severity: 'warning',
    summary: 'nft reads an IPv4 number with a leading zero as octal: traffic goes to another address.',
    remedy: 'Write the address in the EndpointSlice without leading zeros.',
  },
  'no-cluster-ip': {
    severity: 'warning',
    summary: 'A Service has no cluster IP, so kube-proxy passes over it.',
    remedy: 'Set `spec.clusterIP`, or leave `--no-allocate` out.',
  },
  'no-endpoints': {
    severity: 'warning',
    summary: 'A Service has no endpoints in the input; its traffic is rejected.',
    remedy: 'Add its EndpointSlices, Endpoints or Pods, or use `--assume-pods`.',
  },
  'node-not-chosen': {
    severity: 'warning',
    summary: 'Several Nodes are given and none is chosen with `--node`.',
    remedy: 'Name the node that rules are for.',
  },
  'node-ports-closed': {
    severity: 'warning',
    summary: 'No address of this node accepts node-port traffic.',
    remedy: 'Give the node address with `--node-ip`, or `--nodeport-addresses`.',
  },
  'node-unknown': {
    severity: 'warning',
    summary: 'The chosen node is not among the Nodes of the input.',
    remedy: 'Correct `--node`, or give the Node object.',
  },
  'range-exhausted': {
    severity: 'error',
    summary: 'A range has no address left to allocate.',
    remedy: 'Give a larger range.',
  },
  'rules-not-loadable': {
    severity: 'warning',
    summary: 'kube-proxy writes this text, but the kernel refuses it.',
    remedy: 'Change the setting that the message names.',
  },
  'service-without-rules': {
    severity: 'note',
    summary: 'Services that kube-proxy writes no rules for.',
    remedy: 'Nothing: headless and ExternalName Services live in DNS.',
  },
} as const satisfies Readonly<Record<string, DiagnosticKind>>;

export type DiagnosticCode = keyof typeof catalogue;
