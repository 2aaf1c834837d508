/** Gives each name another one, the same wherever it stands; the new ones are valid wherever the old ones are. */
export interface Pseudonyms {
  /** `kind` begins the new name, where the name is not known yet: `svc-3`. */
  readonly of: (name: string, kind: string) => string;
  readonly has: (name: string) => boolean;
  /** The key of a label or annotation. */
  readonly ofKey: (key: string) => string;
  /** Every name that has got another one. */
  readonly known: () => Iterable<string>;
}

export function createPseudonyms(): Pseudonyms {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const of = (name: string, kind: string): string => {
    if (publicNames.has(name) || /^\d*$/.test(name)) return name;
    const known = names.get(name);
    if (known !== undefined) return known;
    // A Pod of a program that commands know by its name keeps that.
    const word = programs.exec(name)?.[1] ?? kind;
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    const made = `${word}-${count}`;
    names.set(name, made);
    return made;
  };
  return {
    of,
    has: (name) => names.has(name),
    ofKey: (key) => {
      const slash = key.indexOf('/');
      const domain = key.slice(0, Math.max(0, slash));
      if (slash === -1) return plainKeys.has(key) ? key : of(key, 'label');
      if (/(?:^|\.)(?:kubernetes\.io|k8s\.io)$/.test(domain) || keptDomains.has(domain)) return key;
      return `${of(domain, 'domain')}.example/${of(key.slice(slash + 1), 'label')}`;
    },
    known: () => names.keys(),
  };
}

/** What every cluster has, and what has a meaning of its own. */
const publicNames: ReadonlySet<string> = new Set([
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease', 'kubernetes', 'kube-dns', 'kube-proxy', 'coredns'],
  ...['kube-proxy-config', 'dns', 'dns-tcp', 'http', 'https', 'metrics', 'grpc', 'true', 'false', 'linux', 'windows'],
  ...['amd64', 'arm64', 'endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io', 'apiserver'],
  ...[
    'cluster.local',
    'kube-apiserver',
    'node-local-dns',
    'kube-router',
    'calico-node',
    'cilium',
    'kindnet',
    'kube-flannel',
  ],
]);

const programs =
  /^(node-local-dns|kube-proxy|coredns|kube-router|calico-node|cilium|kindnet|kube-flannel(?:-ds)?)-[a-z0-9-]+$/;

/** Keys of labels that many charts use. */
const plainKeys: ReadonlySet<string> = new Set([
  ...['app', 'k8s-app', 'component', 'tier', 'version', 'name', 'role', 'release', 'env', 'team', 'track'],
  ...['pod-template-hash', 'controller-revision-hash', 'pod-template-generation'],
]);

/** Of network plugins whose annotations commands look at. */
const keptDomains: ReadonlySet<string> = new Set(['projectcalico.org', 'flannel.alpha.coreos.com']);
