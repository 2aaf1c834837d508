import { type DiagnosticEntry, entriesOf } from '../problemEntry.ts';

/** Every code there is: a code that is not in this table does not compile. */
export const diagnosticCatalogue = /* @__PURE__ */ entriesOf<DiagnosticEntry>()({
  'address-claimed-twice': {
    severity: 'warning',
    what: 'Two Services have one external address and port, and only one of them gets its traffic.',
    fix: 'Give each Service an address or a port of its own.',
  },
  'allocated-cluster-ip': {
    severity: 'warning',
    what: 'A Service has no cluster IP; one was chosen from the service range.',
    fix: 'Set `spec.clusterIP`, or read the Service from the cluster (`kubectl get service -o yaml`); `--no-allocate` leaves such Services without rules.',
  },
  'allocated-health-check-port': {
    severity: 'warning',
    what: 'A load-balancer Service with policy Local has no health-check node port; one was chosen.',
    fix: 'Set `spec.healthCheckNodePort`, or read the Service from the cluster.',
  },
  'allocated-node-port': {
    severity: 'warning',
    what: 'A port of a Service that needs a node port has none; one was chosen.',
    fix: 'Set `nodePort`, or read the Service from the cluster.',
  },
  'annotation-ignored': {
    severity: 'warning',
    what: 'An annotation asks the ingress controller for something that the output does not do.',
    fix: 'Add it to the configuration by hand, or remove the annotation.',
  },
  'api-version-removed': {
    severity: 'error',
    what: 'The cluster no longer serves the API version of an object, and refuses it. Without `--kube-version` the newest version is meant, and it is a warning.',
    fix: 'Use the API version that the hint names; some fields have changed with it.',
  },
  'assumed-blocks': {
    severity: 'note',
    what: 'No BlockAffinity is given, so blocks of Pod addresses were assigned by where most of their Pods run.',
    fix: 'Give the BlockAffinity objects: `kubectl get blockaffinities.crd.projectcalico.org -o yaml`.',
  },
  'assumed-dns-ip': {
    severity: 'note',
    what: "The Service of the cluster's DNS servers is not in the input; the tenth address of the service range is taken, as most installers do, or the DNS Service that has it.",
    fix: 'Add the Service to the input, or give its address with `--cluster-dns` or `--dns-ip`.',
  },
  'assumed-pods': {
    severity: 'note',
    what: 'Pods of a workload were made up, with addresses from the pod CIDR.',
    fix: 'Give the real Pods or EndpointSlices to get the real addresses.',
  },
  'assumed-vtep-mac': {
    severity: 'warning',
    what: 'The hardware address of a VXLAN device is not known; one was made up.',
    fix: 'Give the Nodes as the cluster has them: flannel writes it to an annotation.',
  },
  'bad-address': {
    severity: 'error',
    what: 'A value that must be an IP address is something else.',
    fix: 'Write an IPv4 or IPv6 address, without port, prefix length or zone.',
  },
  'bad-check-file': {
    severity: 'error',
    what: 'The file of `k8snet check` contradicts itself, or asks for something that cannot be compared.',
    fix: 'Give each case its own name and golden file, below the folder of the file; see `docs/check.md`.',
  },
  'bad-duration': {
    severity: 'error',
    what: 'A duration is not in the syntax of Go, or negative.',
    fix: 'Write a number with a unit, such as `30s`, `1m30s` or `24h`.',
  },
  'bad-encoding': {
    severity: 'error',
    what: 'A file is not text in UTF-8 (or UTF-16 with a byte order mark).',
    fix: 'Save it as UTF-8; you probably passed a binary file by mistake.',
  },
  'bad-feature-gate': {
    severity: 'error',
    what: 'kube-proxy of the version refuses a feature gate, or a mode whose gate is off.',
    fix: 'Leave the gate out, or set it as the version allows.',
  },
  'bad-interface-name': {
    severity: 'error',
    what: 'A name cannot be that of a network interface.',
    fix: 'Give at most 15 characters, without blanks, slashes and quotes.',
  },
  'bad-label': {
    severity: 'error',
    what: 'A key or value of labels, annotations or a selector does not follow the syntax of the API.',
    fix: 'Use letters, digits, `-`, `_` and `.`, at most 63 of them; a key may have a DNS name and `/` in front.',
  },
  'bad-name': {
    severity: 'error',
    what: 'A name does not follow the syntax that the API requires for it.',
    fix: 'Most names are lower case letters, digits and `-`; Service names start with a letter, port names have at most 15 characters.',
  },
  'bad-network': {
    severity: 'error',
    what: 'A value that must be a network in CIDR form is something else.',
    fix: 'Write an address, `/` and the prefix length: `10.0.0.0/8`, `fd00::/64`.',
  },
  'bad-option': {
    severity: 'error',
    what: 'A command-line option is unknown, incomplete or has a value that cannot be used.',
    fix: 'See `k8snet help COMMAND`.',
  },
  'bad-path': {
    severity: 'error',
    what: 'A path of an Ingress does not begin with a slash, has control characters or is too long.',
    fix: 'Write an absolute path, such as `/` or `/api`.',
  },
  'bad-policy-peer': {
    severity: 'error',
    what: 'A peer or a subject of a policy is empty or says several things at once, or a peer excepts what is not in its network.',
    fix: 'Give selectors or an ipBlock (of a cluster-wide policy exactly one field), each in its own list item; write exceptions that are smaller than the network and within it.',
  },
  'bad-policy-port': {
    severity: 'error',
    what: 'A port of a cluster-wide policy says nothing, or several things at once.',
    fix: 'Give exactly one of the fields that the message names, and write further ports as further list items.',
  },
  'bad-port-range': {
    severity: 'error',
    what: 'endPort of a NetworkPolicy does not end a range of port numbers.',
    fix: 'Give endPort together with a port number that is not higher.',
  },
  'bad-selector': {
    severity: 'error',
    what: 'An expression of a label selector has values that its operator does not take, or lacks them.',
    fix: 'Give values with In and NotIn, none with Exists and DoesNotExist.',
  },
  'bad-value': {
    severity: 'error',
    what: 'A value has a form that its reader does not take.',
    fix: 'Write the value as the message says.',
  },
  'block-of-unknown-node': {
    severity: 'warning',
    what: 'A block of Pod addresses belongs to a node whose address is not known.',
    fix: 'Give the Node, with its InternalIP.',
  },
  'cannot-read': {
    severity: 'error',
    what: 'A file, a directory or standard input could not be read.',
    fix: 'Check the path and its permissions.',
  },
  'cannot-write': {
    severity: 'error',
    what: 'An output file could not be written.',
    fix: 'Give a folder that exists or can be made, and that can be written to. The exit code is 74.',
  },
  'cidr-host-bits': {
    severity: 'warning',
    what: 'A network is written with an address inside it; the part behind the prefix is ignored.',
    fix: 'Write the network itself, or the address with `/32` or `/128`.',
  },
  'cluster-cidr-needed': {
    severity: 'error',
    what: 'The routes depend on the network of all Pods, which was not given.',
    fix: 'Give it with `--cluster-cidr`.',
  },
  'cluster-ip-outside-range': {
    severity: 'error',
    what: 'A cluster IP is not in the range that `--service-cidr` names, so the API server refuses the Service.',
    fix: 'Take an address of the range, or leave `spec.clusterIP` out.',
  },
  'cluster-unread': {
    severity: 'error',
    what: 'A cluster could not be read: nobody answers, the account is not known there, or kubectl is not installed.',
    fix: 'See what `kubectl get services` says with the same flags. The exit code is 5.',
  },
  'control-character': {
    severity: 'error',
    what: 'A YAML file holds a control character, which YAML does not allow.',
    fix: 'Remove it, or write it as an escape inside double quotes; you probably passed a binary file by mistake.',
  },
  'cut-dump': {
    severity: 'error',
    what: 'The dump of one of many nodes is cut: what is not in it may well be on the node, so the node is not judged.',
    fix: 'Save the whole output to a file again. To see what this dump shows, run `k8snet diff` or `k8snet doctor` on it alone.',
  },
  'deprecated-use': {
    severity: 'note',
    what: 'A field, annotation or kind still works in the cluster’s version, and has been replaced.',
    fix: 'Use what the hint names when you change the object the next time.',
  },
  'distribution-without-effect': {
    severity: 'warning',
    what: 'A Service asks for close endpoints in a version that does not know that, or its endpoints have no hints (a note).',
    fix: 'Upgrade the cluster, or leave spec.trafficDistribution out.',
  },
  'dns-config-invalid': {
    severity: 'error',
    what: "A Pod's DNS settings are not ones that the API server takes, or would not survive being written into a file.",
    fix: 'Keep to the limits that the message names; `dnsPolicy: None` needs a server.',
  },
  'dns-config-unsupported': {
    severity: 'warning',
    what: 'A Pod sets `dnsConfig` or `dnsPolicy: None`, and the version of Kubernetes does not take that, or only with the feature gate CustomPodDNS.',
    fix: 'Use Kubernetes 1.10 or later.',
  },
  'dns-limits': {
    severity: 'warning',
    what: "A Pod's list of DNS servers or search names is longer than the kubelet writes; the rest is left out.",
    fix: 'Shorten the list of the Pod or that of its node.',
  },
  'dns-name-too-long': {
    severity: 'warning',
    what: 'A name is longer than DNS takes, though Kubernetes does: its record is left out.',
    fix: 'Shorten the name of the port, Pod, Service, namespace or external name.',
  },
  'dump-note': {
    severity: 'note',
    what: 'A dump was read with a reservation: a listing that leaves out parts of rules, lines that are cut, a table shown twice, rules of Services that the objects lack.',
    fix: 'Where the answer depends on it, give what the message names.',
  },
  'duplicate-cluster-ip': {
    severity: 'error',
    what: 'Two Services have the same cluster IP.',
    fix: 'Leave spec.clusterIP out of one of them.',
  },
  'duplicate-key': {
    severity: 'error',
    what: 'A mapping has the same key twice.',
    fix: 'Keep one of them.',
  },
  'duplicate-node-port': {
    severity: 'error',
    what: 'A node port or health-check node port is used twice.',
    fix: 'Leave nodePort out of one of them, or give another number.',
  },
  'duplicate-object': {
    severity: 'error',
    what: 'Two objects of one kind have the same namespace and name.',
    fix: 'Remove or rename one of them; files may have been given twice.',
  },
  'duplicate-path': {
    severity: 'warning',
    what: 'Two Ingresses have a rule for the same host, path and type; the older one counts.',
    fix: 'Remove one of them.',
  },
  'duplicate-pod-ip': {
    severity: 'warning',
    what: 'Two live pods have the same address.',
    fix: 'Take the manifests from one moment of one cluster; an address belongs to one pod at a time.',
  },
  'duplicate-port': {
    severity: 'error',
    what: 'Two ports of one object have the same name, or the same number and protocol.',
    fix: 'Remove or rename one of them.',
  },
  'earlier-policies-kept': {
    severity: 'note',
    what: 'The input has no NetworkPolicies, so the script leaves those of earlier loads alone.',
    fix: 'Nothing, if that is meant. `--policy nftables` (or `iptables`) removes them.',
  },
  'earlier-policies-removed': {
    severity: 'warning',
    what: 'The input has no NetworkPolicies, so the script removes those of earlier loads.',
    fix: 'Nothing, if the cluster has none any more. If `kubectl get networkpolicies` failed or was left out, add its output.',
  },
  'endpoint-by-chance': {
    severity: 'warning',
    what: 'An EndpointSlice has an address in several entries that differ, and which counts is not known for the version.',
    fix: 'Leave one entry for each address.',
  },
  'endpoint-is-cluster-ip': {
    severity: 'warning',
    what: 'An endpoint is the cluster IP of a Service; kube-proxy does not lead from one virtual address to another.',
    fix: 'Give the endpoints behind that Service, or use an ExternalName Service.',
  },
  'endpoint-not-selected': {
    severity: 'warning',
    what: 'An endpoint is a Pod that the selector of the Service does not select.',
    fix: 'Correct the labels or the selector; a Service without selector keeps endpoints that are made by hand.',
  },
  'endpoints-without-service': {
    severity: 'warning',
    what: 'Endpoints or an EndpointSlice belong to a Service that is not in the input, although others of its namespace are.',
    fix: 'Correct the name, or the label `kubernetes.io/service-name`.',
  },
  'env-clash': {
    severity: 'warning',
    what: 'Two Services make an environment variable of the same name with different values; which one a container gets is not defined.',
    fix: 'Rename one of the Services.',
  },
  'env-name': {
    severity: 'warning',
    what: 'The name of an environment variable starts with a digit, which a shell does not take.',
    fix: 'Use another form (`-o env`), or rename the Service.',
  },
  'env-overridden': {
    severity: 'note',
    what: "A container sets a variable itself that a Service would give it; the container's own value wins.",
    fix: 'Nothing, if that is meant.',
  },
  'env-source-unknown': {
    severity: 'note',
    what: 'A container takes variables from a ConfigMap or Secret that is not in the input; they may hide variables of Services.',
    fix: 'Add the ConfigMap or Secret to the input.',
  },
  'expectation-failed': {
    severity: 'error',
    what: 'The packet does not always end as --expect says.',
    fix: 'The trace shows the way; `k8snet why` with the same arguments says the cause.',
  },
  'experimental-field': {
    severity: 'note',
    what: 'A cluster-wide policy has a field that only the experimental channel of its API has.',
    fix: 'Install the experimental CRDs, and a network plugin that serves the field, or write the rule without it.',
  },
  'external-name-is-address': {
    severity: 'warning',
    what: 'The external name of a Service is an IP address; DNS servers take it for a name of digits, or give no answer.',
    fix: 'Use a headless Service without selector, and Endpoints of that address.',
  },
  'family-left-out': {
    severity: 'note',
    what: 'Rules of one IP family were compiled but are not printed.',
    fix: 'Choose with `--family`, or write every artefact with `--out-dir`.',
  },
  'feature-gate-ignored': {
    severity: 'note',
    what: 'A feature gate is not known to change what kube-proxy writes.',
    fix: 'Nothing to do, unless the name is misspelt.',
  },
  'fields-disagree': {
    severity: 'error',
    what: 'Two fields that say the same thing say it differently.',
    fix: 'Leave one of them out, or give both the same value.',
  },
  'foreign-rules': {
    severity: 'note',
    what: 'A dump holds rules of programs other than kube-proxy. `import` and `convert` do not read them back; `diff --compare behaviour -f` counts them on both sides, so that only what kube-proxy should do otherwise differs.',
    fix: 'Nothing: the count says how much of the dump the manifests do not cover. `k8snet doctor` and `k8snet check-service` tell whether such rules stop packets to Services.',
  },
  'fqdn-too-long': {
    severity: 'error',
    what: 'With `setHostnameAsFQDN` the full name of a Pod has at most 64 characters, the longest host name of Linux.',
    fix: 'Shorten the name of the Pod, its subdomain or its namespace, or leave `setHostnameAsFQDN` out.',
  },
  'gateway-not-on-link': {
    severity: 'warning',
    what: 'A route leads through a node that is not on the same link; the kernel refuses it.',
    fix: 'Use a tunnel (VXLAN, IPIP) between the links, or teach the router the Pod ranges.',
  },
  'host-network-cluster-first': {
    severity: 'warning',
    what: "A Pod in its node's network asks the node's DNS servers unless it says otherwise, and finds no Services.",
    fix: 'Set `dnsPolicy: ClusterFirstWithHostNet`.',
  },
  'host-port-is-node-port': {
    severity: 'warning',
    what: 'A Pod takes a port of its node that is the node port of a Service; the rules of the Service come first.',
    fix: 'Take a host port out of the range of node ports.',
  },
  'hostname-truncated': {
    severity: 'warning',
    what: "A Pod's host name is longer than 63 characters and is cut.",
    fix: 'Give a shorter `spec.hostname`.',
  },
  'incomplete-dump': {
    severity: 'error',
    what: 'A dump does not show all rules of kube-proxy, so what it is converted to would take Services off a node.',
    fix: 'Give the whole output of the tools; `--allow-partial` converts what is there.',
  },
  'input-too-big': {
    severity: 'error',
    what: 'An input is larger than half a gigabyte.',
    fix: 'Split it into several files.',
  },
  'ip-block-in-cluster': {
    severity: 'warning',
    what: 'An `ipBlock` lies in the range of Pods or of cluster IPs. Blocks are for addresses outside: those of Pods change, and those of Services are translated before or after policies look.',
    fix: 'Select Pods by their labels.',
  },
  'ipvs-deprecated': {
    severity: 'warning',
    what: "kube-proxy's IPVS mode has been deprecated since Kubernetes 1.35.",
    fix: 'Use `--mode nftables`.',
  },
  'json-syntax': {
    severity: 'error',
    what: 'A text is not JSON.',
    fix: 'Correct it at the place shown.',
  },
  'kinds-not-followed': {
    severity: 'note',
    what: 'Objects of the Gateway API or of multi-cluster Services are recognized, and only what is said of them is checked.',
    fix: 'See what is done and what is not: `k8snet explain gateway-api`, `k8snet explain multi-cluster`.',
  },
  'kube-version-newer': {
    severity: 'warning',
    what: 'The Kubernetes version is newer than the newest that is known; the newest profile is used.',
    fix: 'Check the output against such a node, or give an older `--kube-version`.',
  },
  'kube-version-unknown': {
    severity: 'error',
    what: 'What the Kubernetes version writes in this mode is not known.',
    fix: 'Give a version that `k8snet versions` lists, or another `--mode`.',
  },
  'lab-address-made-up': {
    severity: 'note',
    what: 'k8snet lab needs an address for the node, and neither the manifests nor the options tell one.',
    fix: 'Give the Node, or --node-ip.',
  },
  'lab-impossible': {
    severity: 'error',
    what: 'k8snet lab needs root, and programs and modules of the kernel that this machine lacks.',
    fix: 'Run it as root or in a user namespace; install the packages that are named.',
  },
  'lab-in-guest': {
    severity: 'note',
    what: 'The kernel has no IPVS: k8snet lab runs in user-mode Linux, which has it.',
    fix: 'Nothing; modprobe ip_vs, where the machine has the module, makes the lab faster.',
  },
  'labels-from-workload': {
    severity: 'note',
    what: 'Pods of a table without labels have those of the workload that they are named after.',
    fix: 'Give the Pods with their labels: `kubectl get pods -o wide --show-labels`.',
  },
  'leading-zero-address': {
    severity: 'warning',
    what: 'A number of an IPv4 address has a leading zero: Kubernetes reads it as decimal, many programs as octal.',
    fix: 'Write the address without leading zeros.',
  },
  'listener-conflict': {
    severity: 'warning',
    what: 'Two Services would have the balancer listen on the same address and port.',
    fix: 'Give each its own address (`spec.loadBalancerIP`, `--bind`), or choose one with `--service`.',
  },
  'load-balancer-ip-differs': {
    severity: 'warning',
    what: 'A Service asks for one load-balancer address and got another.',
    fix: 'Use the address of the status, or ask the provider how to reserve one: `spec.loadBalancerIP` is deprecated.',
  },
  'made-up': {
    severity: 'warning',
    what: 'Rules do not show a value that a manifest must have, or do not show it clearly, so one was chosen.',
    fix: 'Fill in the places that are marked with a comment.',
  },
  'misplaced-field': {
    severity: 'error',
    what: 'A field is not allowed in an object of this type.',
    fix: 'Remove the field, or change the type of the object.',
  },
  'missing-api-version': {
    severity: 'error',
    what: 'An object has no `apiVersion`, or one that is not text.',
    fix: 'Write it, `v1` for a Service.',
  },
  'missing-cluster-dns': {
    severity: 'warning',
    what: 'A kubelet without a DNS server of the cluster lets Pods ask those of the node.',
    fix: 'Start the kubelet with `--cluster-dns`.',
  },
  'missing-field': {
    severity: 'error',
    what: 'A field that the API requires is missing or null.',
    fix: 'Add the field.',
  },
  'missing-kind': {
    severity: 'error',
    what: 'An object has no `kind`, or one that is not text.',
    fix: 'Write it, such as `kind: Service`.',
  },
  'missing-name': {
    severity: 'error',
    what: 'An object has no name.',
    fix: 'Give metadata.name; a generateName is of use to the API server only.',
  },
  'mixed-protocols': {
    severity: 'warning',
    what: 'A Service of type LoadBalancer has ports of several protocols, and the version of Kubernetes does not take that, or only with the feature gate MixedProtocolLBService. Before 1.20 it is an error.',
    fix: 'Make a Service of each protocol, or use Kubernetes 1.24 or later.',
  },
  'mode-needs-gate': {
    severity: 'warning',
    what: 'kube-proxy of the version has the mode behind a feature gate, which the configuration does not set.',
    fix: 'Set the gate in `featureGates`.',
  },
  'mode-not-in-version': {
    severity: 'error',
    what: 'kube-proxy of the Kubernetes version does not have the mode yet.',
    fix: 'Give a newer `--kube-version`, or another `--mode`.',
  },
  'mode-unsupported': {
    severity: 'error',
    what: 'The version of kube-proxy does not have the mode any more.',
    fix: 'Choose another mode, or give the version of the node with `--kube-version`.',
  },
  'named-port-missing': {
    severity: 'warning',
    what: 'A Service targets a port name that a selected Pod does not have.',
    fix: 'Name the container port, or correct `targetPort`.',
  },
  'nested-too-deeply': {
    severity: 'error',
    what: 'Mappings and sequences are nested more than a hundred levels deep.',
    fix: 'No Kubernetes object needs that: check how the file was made.',
  },
  'network-overlap': {
    severity: 'warning',
    what: 'The networks of nodes, Pods and Services share addresses.',
    fix: 'Choose ranges that are apart; `k8snet emit routes -o json` lists every overlap.',
  },
  'nft-bridge-needed': {
    severity: 'note',
    what: 'The rules match a bridge by its index, so nft loads them only where the bridge exists.',
    fix: 'Create the bridge before the rules are loaded.',
  },
  'nft-octal-address': {
    severity: 'warning',
    what: 'nft reads an IPv4 number with a leading zero as octal: traffic goes to another address.',
    fix: 'Write the address in the EndpointSlice without leading zeros.',
  },
  'no-address': {
    severity: 'note',
    what: 'A Service has no address of its own, so the balancer listens on every address.',
    fix: 'Give one with `--bind`.',
  },
  'no-backend': {
    severity: 'warning',
    what: 'An Ingress leads to a Service or port that does not exist, or to something that is not a Service; its requests get 503.',
    fix: 'Correct the name, or give the missing Service.',
  },
  'no-cluster-ip': {
    severity: 'warning',
    what: 'A Service has no cluster IP, so kube-proxy skips it.',
    fix: 'Set `spec.clusterIP`, or leave `--no-allocate` out.',
  },
  'no-endpoints': {
    severity: 'warning',
    what: 'A Service has no endpoints in the input; its traffic is rejected.',
    fix: 'Add its EndpointSlices, Endpoints or Pods, or use `--assume-pods`.',
  },
  'no-health-check-port': {
    severity: 'warning',
    what: 'A Service for local endpoints only has no health-check node port, so load balancers cannot see which nodes have endpoints.',
    fix: 'Set `spec.healthCheckNodePort`, or read the Service from the cluster.',
  },
  'no-ingresses': {
    severity: 'warning',
    what: 'The input has no Ingress, or none of the class.',
    fix: 'Give Ingresses, or another `--ingress-class`.',
  },
  'no-manifests': {
    severity: 'error',
    what: 'A directory holds no `.yaml`, `.yml` or `.json` file.',
    fix: 'Give the files themselves, or `-R` to read the directories below it too.',
  },
  'no-node-port': {
    severity: 'warning',
    what: 'A port has no node port, so that nothing outside of the cluster can reach it.',
    fix: 'Set `nodePort`, or let node ports be allocated.',
  },
  'no-nodes': {
    severity: 'error',
    what: 'There is no node to route or balance to.',
    fix: 'Give the Nodes with their addresses: `kubectl get nodes -o yaml`.',
  },
  'no-objects': {
    severity: 'warning',
    what: 'A file holds no object: it is empty, or has only comments. For `lint`, all of the input holds none to check.',
    fix: 'Give a file with Kubernetes objects, or leave this one out.',
  },
  'no-proxy-rules': {
    severity: 'error',
    what: 'A whole dump of a node has no rule of kube-proxy.',
    fix: 'See whether kube-proxy runs on the node, and dump every place in which it writes: `k8snet collect` prints the commands. `k8snet explain K8N111` has the reasons.',
  },
  'no-ready-pods': {
    severity: 'warning',
    what: 'All Pods that a Service selects say that they are not ready: it has no endpoint that gets traffic.',
    fix: 'See why the Pods are not ready: `kubectl describe pod` names the probe that fails or the container that waits.',
  },
  'no-services': {
    severity: 'error',
    what: 'The input has no Services (for policies: no NetworkPolicies, Pods or Namespaces); its rules would empty the node, or everything on the node would look left over. For `emit lb`, a warning: nothing is there to balance.',
    fix: 'Check the command that writes the input: a failed `kubectl get` leaves it empty. With commands that have it, `--allow-empty` says that it is meant.',
  },
  'no-such-container': {
    severity: 'error',
    what: 'The container that an option names is not in the Pod.',
    fix: 'Give one of the containers that the hint lists.',
  },
  'no-such-pod': {
    severity: 'error',
    what: 'The Pod that an option names is not in the input.',
    fix: 'Give the Pod as NAMESPACE/NAME, and its manifest with `-f`; `--assume-pods` makes up the Pods of workloads.',
  },
  'node-excluded': {
    severity: 'note',
    what: 'A node gets no connections from the balancer: by its label, because it is not ready or is being deleted.',
    fix: 'Remove the label `node.kubernetes.io/exclude-from-external-load-balancers` if it should take part.',
  },
  'node-from-dump': {
    severity: 'note',
    what: 'Several Nodes are given, and the dump shows which of them it is of: by its facts, an address or the endpoints on it.',
    fix: 'Nothing, if that is the node; otherwise name the right one with `--node`.',
  },
  'node-from-question': {
    severity: 'note',
    what: 'Several Nodes are given, and no dump: the packet is walked on the one that its sender is or runs on, or that it is sent to from outside.',
    fix: 'Nothing, if that is the node; otherwise name the right one with `--node`.',
  },
  'node-given-twice': {
    severity: 'error',
    what: 'Two dumps among many are of the same node. The first is judged.',
    fix: 'Leave one of them out. Where names of files hide which node a dump is of, `--node-name` tells it.',
  },
  'node-half-read': {
    severity: 'warning',
    what: 'A program of a node failed or did not come to its end; what it would have shown is unknown.',
    fix: 'Give it more time (`--node-timeout`), or read the node in another way (`--via`). An unfinished dump counts as one that was cut.',
  },
  'node-hosts-needed': {
    severity: 'error',
    what: "A Pod in its node's network gets the hosts file of the node, which was not given.",
    fix: "Give the node's `/etc/hosts` with `--node-hosts FILE`.",
  },
  'node-not-chosen': {
    severity: 'warning',
    what: 'Several Nodes are given and none is chosen with `--node`.',
    fix: 'Name the node that rules are for.',
  },
  'node-port-range': {
    severity: 'warning',
    what: 'A node port is outside of the range that clusters have by default.',
    fix: 'Take a number from 30000 to 32767, unless the API server is set up with another range.',
  },
  'node-ports-closed': {
    severity: 'warning',
    what: 'No address of this node accepts node-port traffic.',
    fix: 'Give the node address with `--node-ip`, or `--nodeport-addresses`.',
  },
  'node-resolv-conf-needed': {
    severity: 'error',
    what: 'A Pod gets the DNS settings of its node, which were not given.',
    fix: "Give the node's `/etc/resolv.conf` with `--node-resolv-conf FILE`.",
  },
  'node-unknown': {
    severity: 'error',
    what: 'The node of `--node` (as a warning: of `hostnameOverride`) is not among the Nodes of the input.',
    fix: 'Correct `--node`, or give the Node object.',
  },
  'node-unread': {
    severity: 'error',
    what: 'A node could not be read: no Pod of kube-proxy runs on it, nobody answers, or no program there prints rules.',
    fix: 'Read it in another way: `--via local` on the node itself, `--via ssh`. The exit code is 5.',
  },
  'node-without-address': {
    severity: 'warning',
    what: 'A Node has no InternalIP (of a family); nothing leads to it.',
    fix: 'Give the Node as the cluster has it, with `status.addresses`.',
  },
  'node-without-pod-cidr': {
    severity: 'warning',
    what: 'A Node has no range of Pod addresses; there is no route to its Pods.',
    fix: 'Give the Node as the cluster has it, with `spec.podCIDRs`.',
  },
  'node-without-pod-range': {
    severity: 'warning',
    what: 'detectLocalMode is NodeCIDR, and the Node has no Pod range of its own family in the input.',
    fix: 'Give the Node object with `spec.podCIDRs`.',
  },
  'nodes-by-endpoints': {
    severity: 'note',
    what: 'nginx cannot ask nodes whether they have endpoints, so the nodes were chosen by the endpoints of the input.',
    fix: 'Make the configuration again when endpoints move, or use `--lb haproxy`.',
  },
  'nodes-not-read': {
    severity: 'note',
    what: 'A question with `--live` names no node: packets are walked through the rules that kube-proxy should have written for the objects.',
    fix: 'Name the node to walk the rules that it really has: `node/NAME`.',
  },
  'not-a-dump': {
    severity: 'error',
    what: 'A text that should be a dump of a node holds no rules that can be read.',
    fix: 'Give the output of `iptables-save`, `ip6tables-save`, `nft list ruleset`, `ipset save` or `ipvsadm -Sn`.',
  },
  'not-a-report': {
    severity: 'error',
    what: 'A file that should hold a report of many nodes does not hold one, is cut, or was written by something else.',
    fix: 'Give what `k8snet diff -o json` or `k8snet doctor -o json` printed for several nodes.',
  },
  'not-allowed': {
    severity: 'error',
    what: 'The account that reads a cluster lacks a permission there. Where that only makes facts unknown, it is a warning.',
    fix: 'Let somebody grant it with the rule that the hint shows (`docs/live.md` has all of them), or read as another account (`--context`, `--as`).',
  },
  'not-an-object': {
    severity: 'error',
    what: 'A document, or an item of a List, is not a mapping.',
    fix: 'Write an object with `apiVersion` and `kind`; several go under `items` of a `v1` List, or after `---`.',
  },
  'not-imported': {
    severity: 'warning',
    what: 'Something in a dump could not be read back into manifests.',
    fix: 'Look at it by hand; where the dump is a piece, give all of it.',
  },
  'not-in-dump': {
    severity: 'note',
    what: 'Rules do not show something that the cluster knows; it was left out.',
    fix: 'Fill it in if you need it, or read the objects from the cluster.',
  },
  'not-redacted': {
    severity: 'note',
    what: '`collect --redact` left files out of the archive, because not all of their text is understood.',
    fix: 'Nothing to do: commands do not read them. Without `--redact` they are in the archive.',
  },
  'old-rules-stay': {
    severity: 'warning',
    what: "Rules are written for another mode of kube-proxy than the node's, and do not remove those of its own.",
    fix: 'Remove them with what `k8snet cleanup --mode MODE` prints: as long as both are there, both translate packets.',
  },
  'one-namespace-read': {
    severity: 'note',
    what: 'Objects of one namespace were read from the cluster; nothing is known of the others.',
    fix: 'Leave out `-n` to read all namespaces: a node has rules for the Services of all of them.',
  },
  'other-class': {
    severity: 'note',
    what: 'Ingresses of another class were left out.',
    fix: 'See `--ingress-class`.',
  },
  'other-cluster': {
    severity: 'error',
    what: 'The dump of one of many nodes has none of the Services in the manifests, or names a node that they do not have.',
    fix: 'Leave the dump out, or give manifests of its cluster, read at the time of the dump.',
  },
  'other-family': {
    severity: 'warning',
    what: 'In userspace mode kube-proxy serves one IP family; a Service of the other one gets no rules.',
    fix: 'Give the Service a first cluster IP of the family of the node.',
  },
  'other-policies': {
    severity: 'warning',
    what: "Policies of other kinds (CiliumNetworkPolicy, Calico's NetworkPolicy …) decide about packets too, and k8snet does not read them.",
    fix: 'Ask the program that serves them, too: what k8snet says is what NetworkPolicies alone decide.',
  },
  'other-version': {
    severity: 'warning',
    what: 'The version of kube-proxy that wrote a dump does not have the mode that it is converted to.',
    fix: 'Give the version that is to run with `--kube-version`.',
  },
  'other-zones': {
    severity: 'note',
    what: "A cluster's DNS has several zones, and standard output holds one.",
    fix: 'Print another with `--reverse`, or write all with `--out-dir`.',
  },
  'out-of-range': {
    severity: 'error',
    what: 'A number is too small or too big for its field.',
    fix: 'Give a number within the range that the message names.',
  },
  'own-hosts-mount': {
    severity: 'warning',
    what: "A container mounts a file of its own at `/etc/hosts`, so the kubelet's does not show there.",
    fix: 'Remove the mount, or add the entries that the container needs to its own file.',
  },
  'pod-cidr-outside': {
    severity: 'warning',
    what: 'The Pod range of a Node is outside of the Pod network.',
    fix: 'Correct `--cluster-cidr` or the Node.',
  },
  'pod-cidr-overlap': {
    severity: 'warning',
    what: 'Two Nodes have Pod ranges that share addresses.',
    fix: 'Give each Node a range of its own.',
  },
  'pod-outside-node-range': {
    severity: 'warning',
    what: 'The address of a pod is not in the pod networks of its node.',
    fix: 'Check spec.nodeName of the pod and spec.podCIDRs of the node; some network plugins do not use them.',
  },
  'pod-readiness-unsaid': {
    severity: 'warning',
    what: 'A Pod that a Service selects has an address and no Ready condition: as in a cluster, it gets no traffic.',
    fix: 'Write the condition into `status`, or give the Pods as the cluster has them (`kubectl get pods -A -o yaml`).',
  },
  'pod-without-address': {
    severity: 'error',
    what: 'A Pod has no address yet, so the kubelet writes no hosts file for it.',
    fix: 'Read the Pod from the cluster once it runs, or set `status.podIP`.',
  },
  'pods-insecure': {
    severity: 'note',
    what: 'With `pods insecure` a DNS server answers for any address in a namespace that exists; a zone can only list those of Pods.',
    fix: 'Use `pods verified`.',
  },
  'pods-without-address': {
    severity: 'warning',
    what: 'Pods have no address in the input, so policies cannot be asked about them.',
    fix: 'Give the Pods as the cluster has them, with their status, or use `--assume-pods`.',
  },
  'policies-counted': {
    severity: 'note',
    what: 'How many NetworkPolicies of the input select how many Pods of the node.',
    fix: 'Nothing, if the numbers are those of your cluster.',
  },
  'policies-kept': {
    severity: 'warning',
    what: 'A dump holds rules of NetworkPolicies, which are not converted: they stay on the node as they are.',
    fix: 'Nothing, if their program goes on running. Else compile the policies themselves: `k8snet compile -f policies.yaml --policy nftables`.',
  },
  'policies-left-out': {
    severity: 'note',
    what: 'The rules of NetworkPolicies are not printed together with those of kube-proxy.',
    fix: 'Print them with `--policy-only`, or write all files with `--out-dir`.',
  },
  'policies-lost': {
    severity: 'error',
    what: 'The input has NetworkPolicies, and rules made from it would leave Pods of the node open.',
    fix: 'Give the Pods as the cluster has them (`kubectl get pods -A -o yaml`), and check `--node`. `--allow-empty` says that it is meant.',
  },
  'policies-not-compared': {
    severity: 'note',
    what: 'What an edit of manifests does to connections between Pods is not known: something that policies ask for is not shown, or Pods have other addresses afterwards.',
    fix: 'Give the objects that the message names; `k8snet policy matrix -f` of both says who may connect.',
  },
  'policies-walked': {
    severity: 'note',
    what: 'Policies of the manifests take part where packets are walked by manifests alone: those that select Pods of this node, as rules of nftables beside those of kube-proxy.',
    fix: 'Nothing, if a network plugin enforces them. `--no-policies` leaves them out; `k8snet policy test` judges the other end too, which may be on another node.',
  },
  'policy-blocks-dns': {
    severity: 'note',
    what: 'The egress rules of all policies that select a Pod let it reach no DNS server, so it cannot resolve names.',
    fix: 'Allow port 53 of UDP and TCP to the cluster’s DNS (`k8s-app: kube-dns` in the namespace kube-system).',
  },
  'policy-bridged-pods': {
    severity: 'note',
    what: 'Pods of one node that share a bridge reach each other past the rules, unless br_netfilter is loaded.',
    fix: 'With a network plugin that bridges, load `br_netfilter` and set `net.bridge.bridge-nf-call-iptables` and `net.bridge.bridge-nf-call-ip6tables` to 1.',
  },
  'policy-cannot-reject': {
    severity: 'warning',
    what: 'Denied traffic cannot be rejected where the rules hook in.',
    fix: 'Use `--hook forward`, or `--deny drop`.',
  },
  'policy-denies-everyone': {
    severity: 'note',
    what: 'A rule of the Admin tier denies everyone on every port, and no rule before it accepts or passes anything.',
    fix: 'Nothing, if it is meant to cut these Pods off. Else put rules before it for what is to stay open, or write it for the Baseline tier.',
  },
  'policy-denies-nothing': {
    severity: 'warning',
    what: 'The name of a NetworkPolicy says that it denies, and its rules allow everything: `egress: [{}]` is one rule that matches everything, `egress: []` has no rules.',
    fix: 'Write an empty list, or rename the policy.',
  },
  'policy-facts-missing': {
    severity: 'error',
    what: 'Policies ask for labels or names of ports that the input does not show.',
    fix: 'Give the Pods and Namespaces as the cluster has them: `kubectl get pods,namespaces -A -o yaml`. `--assume-empty-labels` takes what is not shown for none.',
  },
  'policy-isolates-ingress': {
    severity: 'note',
    what: 'A NetworkPolicy without policyTypes has egress rules alone; without the field it is for ingress too, and allows nothing there.',
    fix: 'Write `policyTypes: [Egress]`, or both types if that is meant.',
  },
  'policy-not-enforced': {
    severity: 'warning',
    what: 'The network plugin does not enforce NetworkPolicies, so they have no effect.',
    fix: 'Use a plugin that does, or one beside it.',
  },
  'policy-order-open': {
    severity: 'warning',
    what: 'Cluster-wide policies of one tier have the same priority, and the API does not say which is asked first.',
    fix: 'Give each policy of a tier a priority of its own, and ClusterNetworkPolicies no BaselineAdminNetworkPolicy beside them.',
  },
  'policy-peer-matches-nothing': {
    severity: 'warning',
    what: 'A peer of a NetworkPolicy finds no Pod of the input, so the rule allows nothing for it.',
    fix: 'Compare the labels of the Pods, and those of their namespaces: Kubernetes sets only `kubernetes.io/metadata.name` on these.',
  },
  'policy-pod-cidr-unknown': {
    severity: 'warning',
    what: 'Pods that the manifests do not show should be cut off, but the pod range of the node is not known.',
    fix: 'Give `--pod-cidr`, or the Node object with `spec.podCIDRs`.',
  },
  'policy-port-unknown': {
    severity: 'warning',
    what: 'A NetworkPolicy allows a port by a name that none of the Pods at the receiving end gives to a port, so it allows nothing.',
    fix: 'Use the name in `ports` of the containers (not that of the Service), or the number.',
  },
  'policy-rule-shadowed': {
    severity: 'warning',
    what: 'A rule of a cluster-wide policy never decides, because an earlier one matches all that it matches.',
    fix: 'Put the narrower rule first, or remove it.',
  },
  'policy-rules-ignored': {
    severity: 'warning',
    what: 'A NetworkPolicy has rules of a direction that its policyTypes leave out: they mean nothing.',
    fix: 'Add the direction to `policyTypes`, or remove the rules.',
  },
  'policy-selects-nothing': {
    severity: 'warning',
    what: 'The podSelector of a NetworkPolicy matches none of the Pods and workloads of its namespace, or the subject of a cluster-wide policy none of the input: the policy has no effect.',
    fix: "Compare the labels; all of the selector's must be there.",
  },
  'policy-services-unknown': {
    severity: 'warning',
    what: 'Policies in iptables on an IPVS node must know which addresses IPVS serves, and no Services are given.',
    fix: 'Give the Services with the policies, or compile the policies with `--policy nftables`.',
  },
  'policy-test-unanswerable': {
    severity: 'error',
    what: 'A question about policies names something that the manifests do not show.',
    fix: 'Correct the name, or give the manifests of what is meant.',
  },
  'policy-without-pods': {
    severity: 'note',
    what: 'A NetworkPolicy is in a namespace without any Pods in the input.',
    fix: 'Give the pods too, or check the namespace.',
  },
  'policy-without-rules': {
    severity: 'error',
    what: 'A policy has a part that no rules can be made of, and the rules of the others could open what it closes.',
    fix: 'Take it out of the input and serve it otherwise, or judge by `k8snet policy test`, which reads it.',
  },
  'ports-of-different-containers': {
    severity: 'note',
    what: 'The ports of a Service reach different containers of its Pods.',
    fix: "Nothing, if that is meant; a sidecar's port often has a Service of its own.",
  },
  'protocol-unsupported': {
    severity: 'warning',
    what: 'A port of a Service uses a protocol that the output cannot carry; it was left out.',
    fix: 'Use nginx for UDP; SCTP needs another balancer.',
  },
  'proxy-config-map': {
    severity: 'note',
    what: 'The KubeProxyConfiguration in a ConfigMap is used, as if it were given by itself.',
    fix: 'Nothing, if these are the settings of the node; flags win over them.',
  },
  'proxy-mode-fallback': {
    severity: 'warning',
    what: 'kube-proxy does not run in the configured mode, or none is configured.',
    fix: 'Read its log for what it lacks; set `mode` in its configuration.',
  },
  'proxy-on-localhost': {
    severity: 'error',
    what: 'kube-proxy refuses to proxy in userspace mode on a loopback address.',
    fix: 'Bind it to all addresses, or to one of the node.',
  },
  'proxy-ports-exhausted': {
    severity: 'warning',
    what: 'The range of proxy ports of userspace mode is used up; a port gets no rules.',
    fix: 'Give a larger range with `--proxy-port-range`.',
  },
  'proxy-settings-unknown': {
    severity: 'note',
    what: "The cluster has no ConfigMap with kube-proxy's settings, as installers other than kubeadm may keep them elsewhere.",
    fix: 'Give them with `--config` (a file, a ConfigMap, or the flags of kube-proxy), or at least the mode with `--mode`.',
  },
  'range-exhausted': {
    severity: 'error',
    what: 'A range has no address left to allocate.',
    fix: 'Give a larger range.',
  },
  'read-from-flags': {
    severity: 'note',
    what: "kube-proxy's settings were read from its command line or its log, and files that these name were not.",
    fix: 'Give the KubeProxyConfiguration where there is one.',
  },
  'read-from-table': {
    severity: 'note',
    what: 'Objects were read from a table or description that kubectl prints, which leaves out much of them.',
    fix: 'Give the objects themselves: `kubectl get services,endpointslices,pods,nodes -A -o yaml`.',
  },
  'relies-on-kube-proxy': {
    severity: 'warning',
    what: "A rule of another program counts on chains that kube-proxy's other mode does not write, or works with otherwise.",
    fix: 'Change that rule before the switch.',
  },
  'restore-without-jumps': {
    severity: 'note',
    what: 'What `compile -o restore` prints has no jumps from PREROUTING, OUTPUT and the other built-in chains: kube-proxy makes those by `iptables -I`, one by one, before it restores.',
    fix: 'To load rules on a node take `-o script`, which makes the jumps too.',
  },
  'rules-not-loadable': {
    severity: 'warning',
    what: 'kube-proxy writes this text, but the kernel refuses it.',
    fix: 'Change the setting that the message names.',
  },
  'sctp-unsupported': {
    severity: 'warning',
    what: 'The version of Kubernetes takes SCTP only with a feature gate, or not at all.',
    fix: 'Use Kubernetes 1.19 or later, or turn on `SCTPSupport`.',
  },
  'selector-matches-nothing': {
    severity: 'warning',
    what: 'The selector of a Service matches none of the Pods and workloads of its namespace.',
    fix: "Compare the labels; all of the selector's must be there.",
  },
  'selector-matches-two-workloads': {
    severity: 'warning',
    what: 'A Service selects the Pods of two workloads that have no container in common; connections go to either.',
    fix: 'Give each a label of its own.',
  },
  'service-after-pod': {
    severity: 'note',
    what: 'A Service is newer than a container, so the container’s environment lacks its variables.',
    fix: 'Start the container again, find the Service by DNS, or make Services before Pods.',
  },
  'service-cidr-unknown': {
    severity: 'note',
    what: 'In nftables mode kube-proxy drops traffic to cluster IPs that no Service has (since 1.33), and the ranges of cluster IPs are not in the input: that rule is left out.',
    fix: 'Add the ServiceCIDRs (`kubectl get servicecidrs -o yaml`), or give `--service-cidr`.',
  },
  'service-links-off': {
    severity: 'warning',
    what: 'A container refers to variables of a Service, and its Pod has `enableServiceLinks: false`.',
    fix: 'Use the DNS name of the Service, or take the field out.',
  },
  'service-not-in-dump': {
    severity: 'note',
    what: 'A Service without a cluster IP of its own has no rules in the dump it is compared with.',
    fix: 'Look whether the Service was created in this cluster: `kubectl get service -n NAMESPACE NAME`.',
  },
  'service-without-rules': {
    severity: 'note',
    what: 'Services that kube-proxy writes no rules for.',
    fix: 'Nothing: headless and ExternalName Services live in DNS.',
  },
  'services-changing': {
    severity: 'note',
    what: 'Services changed while the node was read: what differs for their packets may be on its way, and is not told.',
    fix: 'Read the node and the objects again once the Services stand still.',
  },
  'shard-missing': {
    severity: 'error',
    what: 'Reports that were merged are shards of one run, and some of them are missing.',
    fix: 'Wait for the Pods of the Job that still run, then merge the reports of all indexes.',
  },
  'shown-differs': {
    severity: 'warning',
    what: 'A manifest and what kubectl shows of the same object say different things.',
    fix: 'Compare them: `kubectl diff -f FILE`. The manifest counts.',
  },
  'skipped-kinds': {
    severity: 'note',
    what: 'Some objects are of kinds that give no rules.',
    fix: 'Nothing needs to be done.',
  },
  'slice-port-without-number': {
    severity: 'warning',
    what: 'A port of an EndpointSlice with several ports has no number, which makes kube-proxy until 1.30 crash.',
    fix: 'Give the port a number, or use kube-proxy 1.31 or newer.',
  },
  'slice-without-service': {
    severity: 'warning',
    what: 'An EndpointSlice does not say to which Service it belongs.',
    fix: 'Add the label `kubernetes.io/service-name`.',
  },
  'source-range-left-out': {
    severity: 'warning',
    what: 'A source range of a load balancer covers all addresses, and IPVS mode cannot express it.',
    fix: 'Remove `spec.loadBalancerSourceRanges` to let everybody in, or give two halves: `0.0.0.0/1` and `128.0.0.0/1`.',
  },
  'source-ranges-ineffective': {
    severity: 'warning',
    what: 'Source ranges of a load balancer have no effect in userspace mode, and on forwarded traffic in nftables mode of kube-proxy 1.29.',
    fix: 'Use kube-proxy 1.30 or newer, or another mode.',
  },
  'special-address': {
    severity: 'error',
    what: 'An address of a special range (loopback, link-local, unspecified) is used where the API does not allow it.',
    fix: 'Give the address that other hosts reach.',
  },
  'special-file-skipped': {
    severity: 'warning',
    what: 'A directory holds a pipe, a socket or a device under the name of a manifest; it was not read.',
    fix: 'Name the file itself with `-f` if it must be read.',
  },
  'stale-files-removed': {
    severity: 'note',
    what: 'The folder of `--out-dir` had files of an earlier run, such as those of another mode; they were removed.',
    fix: 'Use a folder of its own for each mode to keep both.',
  },
  'subdomain-without-service': {
    severity: 'warning',
    what: 'Pods have a subdomain, or a StatefulSet a Service, that the input does not have: their names do not resolve.',
    fix: 'Add a headless Service of that name.',
  },
  'table-cut': {
    severity: 'warning',
    what: 'A table that kubectl prints leaves out addresses, or something that cannot be known without it.',
    fix: 'Give the objects themselves, with `-o yaml`.',
  },
  'table-unread': {
    severity: 'warning',
    what: 'A table, or a line of one, is not of Services, Endpoints, Pods or Nodes as kubectl prints them.',
    fix: 'Remove it, or copy the table whole, with its header and blanks.',
  },
  'taken-from-dump': {
    severity: 'note',
    what: 'Cluster IPs, node ports or endpoints that manifests lack were taken from the dump they are compared with.',
    fix: 'Give what the cluster knows for a full comparison: `kubectl get services,endpointslices,nodes -A -o json`.',
  },
  'target-port-not-declared': {
    severity: 'warning',
    what: 'No container of the selected Pods declares the target port, although they declare others.',
    fix: 'Correct `targetPort`, or declare the port; declaring it is for readers, Kubernetes does not look.',
  },
  'tls-certificate': {
    severity: 'warning',
    what: 'The certificate that an Ingress serves is missing in its Secret, expired, or of another host.',
    fix: 'Issue a certificate with the host in subjectAltName, and put it into the Secret as tls.crt and tls.key.',
  },
  'tls-ignored': {
    severity: 'warning',
    what: 'A TLS entry of an Ingress lacks hosts or the name of a Secret, and was ignored.',
    fix: 'Name both.',
  },
  'tls-secret-missing': {
    severity: 'note',
    what: 'A certificate is not among the input; its files are not written.',
    fix: 'Give the Secret, or put the files into the TLS folder by hand.',
  },
  'tunnel-address-unknown': {
    severity: 'warning',
    what: "The address of a node's VXLAN device is not known; routes through the tunnel are missing.",
    fix: 'Give the Nodes as the cluster has them: Calico writes it to an annotation.',
  },
  'unknown-api-version': {
    severity: 'error',
    what: 'A kind that is read does not exist in the apiVersion that the object names.',
    fix: 'Use the apiVersion that the hint names.',
  },
  'unknown-dns-ip': {
    severity: 'error',
    what: "The Service of the cluster's DNS servers is not in the input, and another Service has the address that most installers give it.",
    fix: 'Add the Service to the input, name it with `--dns-service`, or give its address with `--cluster-dns` or `--dns-ip`.',
  },
  'unknown-field': {
    severity: 'warning',
    what: 'A field is not one of its kind and has no effect.',
    fix: 'Check the spelling and the indentation.',
  },
  'unknown-finding': {
    severity: 'warning',
    what: 'An ignore list names something that is not a finding.',
    fix: 'See `k8snet explain --list`.',
  },
  'unknown-flag': {
    severity: 'warning',
    what: 'A flag of kube-proxy is not known, or cannot be followed, and was left out.',
    fix: 'Check its spelling; give what it points to instead.',
  },
  'unknown-kind': {
    severity: 'error',
    what: 'A kind is misspelled or written in the wrong case, or another one was expected.',
    fix: 'Write the kind as the hint says.',
  },
  'unread-line': {
    severity: 'warning',
    what: 'A line of a dump says nothing that can be read.',
    fix: 'Give the output of the tool as it is; other lines are compared without this one.',
  },
  'unsupported-value': {
    severity: 'error',
    what: 'A value is not one of those that the field takes.',
    fix: 'Use one of the values that the message lists.',
  },
  'unused-field': {
    severity: 'warning',
    what: 'A field has no effect beside the others.',
    fix: 'Remove the field, or set what makes it work.',
  },
  'version-not-detected': {
    severity: 'warning',
    what: 'No known version of kube-proxy writes all rules of a dump.',
    fix: 'Give the version with `--kube-version`; look at the dump with `k8snet doctor`.',
  },
  'workload-selector': {
    severity: 'error',
    what: 'A Deployment, DaemonSet, ReplicaSet or StatefulSet of apps/v1 has no selector, or one that its own Pods do not match: the API server refuses it.',
    fix: 'Repeat the labels of `spec.template.metadata` under `spec.selector.matchLabels`.',
  },
  'wrong-address-family': {
    severity: 'error',
    what: 'An address is of the other IP family than the object says.',
    fix: 'Correct the address or the family.',
  },
  'wrong-item-count': {
    severity: 'error',
    what: 'A list has too few or too many items.',
    fix: 'Keep to the limits that the message names.',
  },
  'wrong-type': {
    severity: 'error',
    what: 'A value is of another type than its field: a string for a number, a list for a mapping.',
    fix: 'Write the value without quotes for a number, with quotes for a string.',
  },
  'yaml-alias': {
    severity: 'error',
    what: 'A YAML alias has no anchor, contains itself, or aliases copy too much.',
    fix: 'Write the value out where it is needed.',
  },
  'yaml-directive': {
    severity: 'warning',
    what: 'A file asks for another YAML version than Kubernetes reads, which is 1.1.',
    fix: 'Leave the `%YAML` line out: kubectl refuses it.',
  },
  'yaml-merge': {
    severity: 'error',
    what: 'A YAML merge key (`<<`) has a value that cannot be merged.',
    fix: 'Give it a mapping, an alias of one, or a sequence of them.',
  },
  'yaml-not-json': {
    severity: 'error',
    what: 'A YAML value cannot be said in JSON, the form in which Kubernetes takes objects.',
    fix: 'Write a finite number, and keys that are text.',
  },
  'yaml-syntax': {
    severity: 'error',
    what: 'A text is not YAML.',
    fix: 'Correct it at the place shown, most often its indentation, quotes or brackets.',
  },
  'yaml-tag': {
    severity: 'error',
    what: 'A YAML value has a tag that Kubernetes does not know, or that does not fit the value.',
    fix: 'Leave the tag out; tags of templating tools must be resolved before.',
  },
});
