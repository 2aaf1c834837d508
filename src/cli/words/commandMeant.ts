/** Our word for what other tools, or people, call `word`; undefined: unknown. */
export function commandMeant(word: string): string | undefined {
  const name = word.toLowerCase();
  return Object.entries(otherNames).find(([, names]) => names.split(' ').includes(name))?.[0];
}

/** By purpose: the names that people have tried for it. */
const otherNames: Readonly<Record<string, string>> = {
  'to find what is wrong with a dump: k8snet doctor DUMP':
    'diagnose diagnosis analyze analyse inspect scan health audit',
  'to compare what two nodes do with packets: k8snet diff --compare behaviour A B': 'behaviour behavior',
  'to compare: k8snet diff -f MANIFESTS DUMP, or k8snet diff OLD NEW': 'compare comparison drift delta',
  'to find problems in manifests: k8snet lint -f MANIFESTS': 'validate verify kubeconform kubeval',
  'k8snet changes no rules; a script that applies them: k8snet compile -f MANIFESTS -o script':
    'apply install deploy load run restore',
  'to see the rules that manifests make: k8snet compile -f MANIFESTS': 'generate gen render build plan rules template',
  'to see one mode of kube-proxy: k8snet compile -f MANIFESTS --mode MODE': 'iptables ipvs nftables nft',
  'to find out why a packet does not arrive: k8snet why DUMP --from WHO --to WHERE': 'debug troubleshoot ping connect',
  'to follow a packet: k8snet trace DUMP --from WHO --to WHERE': 'simulate walk packet follow tcpdump flow path',
  'a script that removes the rules: k8snet cleanup --mode MODE': 'delete remove flush uninstall reset purge',
  'to print a dump in canonical form: k8snet canon DUMP': 'format fmt normalize normalise print show cat sort',
  'to gather everything from a node: k8snet collect': 'gather dump save snapshot support-bundle',
  'to read manifests back from the rules of a node: k8snet import DUMP': 'export reverse decompile manifests read',
  'to switch the mode or the version: k8snet migrate --to MODE -f MANIFESTS DUMP': 'upgrade switch move',
  'to rewrite the rules of a node for another mode: k8snet convert DUMP --to MODE': 'translate transform rewrite',
  'to find out who wrote a dump: k8snet versions --detect DUMP': 'detect fingerprint identify',
  'to see how the endpoints share connections: k8snet split WHERE DUMP': 'share balance endpoints',
  'to read a cluster: k8snet compile --live; nothing else contacts one': 'get describe kubectl logs exec top',
  'to look at NetworkPolicies: k8snet policy test, matrix or explain': 'netpol networkpolicy networkpolicies np',
  'to see who may reach whom: k8snet policy matrix -f MANIFESTS': 'matrix',
  'to see what the DNS of the cluster answers: k8snet emit dns -f MANIFESTS': 'dns resolve zone',
  'k8snet emit generates it: k8snet emit --help': 'env hosts resolv.conf routes ingress lb',
  'to calculate with networks: k8snet cidr NETWORK': 'ipcalc subnet network',
};
