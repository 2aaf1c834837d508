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
  'bad-encoding': {
    severity: 'error',
    summary: 'A file is not text in UTF-8 (or UTF-16 with a byte order mark).',
    remedy: 'Save it as UTF-8; a binary file was probably given by mistake.',
  },
  'bad-option': {
    severity: 'error',
    summary: 'A command-line option is unknown, incomplete or has a value that cannot be used.',
    remedy: 'See `k8snet help COMMAND`.',
  },
  'cannot-read': {
    severity: 'error',
    summary: 'A file, a directory or standard input could not be read.',
    remedy: 'Check the path and its permissions.',
  },
  'cannot-write': {
    severity: 'error',
    summary: 'An output file could not be written.',
    remedy: 'Give a folder that exists or can be made, and that can be written to.',
  },
  'control-character': {
    severity: 'error',
    summary: 'A YAML file holds a control character, which YAML does not allow.',
    remedy: 'Remove it, or write it as an escape inside double quotes; a binary file was probably given by mistake.',
  },
  'duplicate-key': {
    severity: 'error',
    summary: 'A mapping has the same key twice.',
    remedy: 'Keep one of them.',
  },
  'family-left-out': {
    severity: 'note',
    summary: 'Rules of one IP family were compiled but are not printed.',
    remedy: 'Choose with `--family`, or write every artefact with `--out-dir`.',
  },
  'input-too-big': {
    severity: 'error',
    summary: 'An input is larger than half a gigabyte.',
    remedy: 'Split it into several files.',
  },
  'ipvs-deprecated': {
    severity: 'warning',
    summary: "kube-proxy's IPVS mode is deprecated since Kubernetes 1.35.",
    remedy: 'Use `--mode nftables`.',
  },
  'json-syntax': {
    severity: 'error',
    summary: 'A text is not JSON.',
    remedy: 'Correct it at the place shown.',
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
  'missing-api-version': {
    severity: 'error',
    summary: 'An object has no `apiVersion`, or one that is not text.',
    remedy: 'Write it, `v1` for a Service.',
  },
  'missing-kind': {
    severity: 'error',
    summary: 'An object has no `kind`, or one that is not text.',
    remedy: 'Write it, such as `kind: Service`.',
  },
  'named-port-missing': {
    severity: 'warning',
    summary: 'A Service targets a port name that a selected Pod does not have.',
    remedy: 'Name the container port, or correct `targetPort`.',
  },
  'nested-too-deeply': {
    severity: 'error',
    summary: 'Mappings and sequences are nested more than a hundred levels deep.',
    remedy: 'No Kubernetes object needs that: check how the file was made.',
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
  'no-manifests': {
    severity: 'error',
    summary: 'A directory holds no `.yaml`, `.yml` or `.json` file.',
    remedy: 'Give the files themselves, or `-R` to read the directories below it too.',
  },
  'no-objects': {
    severity: 'warning',
    summary: 'A file holds no object: it is empty, or has only comments.',
    remedy: 'Give a file with Kubernetes objects, or leave this one out.',
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
  'not-an-object': {
    severity: 'error',
    summary: 'A document, or an item of a List, is not a mapping.',
    remedy: 'Write an object with `apiVersion` and `kind`; several go under `items` of a `v1` List, or after `---`.',
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
  'yaml-alias': {
    severity: 'error',
    summary: 'A YAML alias has no anchor, contains itself, or aliases copy too much.',
    remedy: 'Write the value out where it is needed.',
  },
  'yaml-directive': {
    severity: 'warning',
    summary: 'A file asks for another YAML version than Kubernetes reads, which is 1.1.',
    remedy: 'Leave the `%YAML` line out: kubectl refuses it.',
  },
  'yaml-merge': {
    severity: 'error',
    summary: 'A YAML merge key (`<<`) has a value that cannot be merged.',
    remedy: 'Give it a mapping, an alias of one, or a sequence of them.',
  },
  'yaml-not-json': {
    severity: 'error',
    summary: 'A YAML value cannot be said in JSON, the form in which Kubernetes takes objects.',
    remedy: 'Write a finite number, and keys that are text.',
  },
  'yaml-syntax': {
    severity: 'error',
    summary: 'A text is not YAML.',
    remedy: 'Correct it at the place shown, most often its indentation, quotes or brackets.',
  },
  'yaml-tag': {
    severity: 'error',
    summary: 'A YAML value has a tag that Kubernetes does not know, or that does not fit the value.',
    remedy: 'Leave the tag out; tags of templating tools must be resolved before.',
  },
} as const satisfies Readonly<Record<string, DiagnosticKind>>;

export type DiagnosticCode = keyof typeof catalogue;
