import type { Api } from './api.ts';

/** The account of the agent, with the rights that docs/agent.md names and no more; gives its token. */
export async function createAgentAccount(api: Api): Promise<string> {
  const group = '/apis/rbac.authorization.k8s.io/v1';
  const name = 'k8snet-agent';
  await api.create('/api/v1/namespaces', { metadata: { name: 'k8snet' } });
  await api.create('/api/v1/namespaces/k8snet/serviceaccounts', { metadata: { name } });
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'k8snet' }];
  await api.create(`${group}/clusterroles`, { metadata: { name }, rules: clusterRules });
  await api.create(`${group}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects,
  });
  for (const [namespace, rules] of Object.entries(namespaceRules)) {
    await api.create(`${group}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
    await api.create(`${group}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects,
    });
  }
  const { status } = (await api.create(`/api/v1/namespaces/k8snet/serviceaccounts/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 7200 },
  })) as { readonly status: { readonly token: string } };
  return status.token;
}

const read = ['get', 'list', 'watch'];

const clusterRules = [
  { apiGroups: [''], resources: ['services', 'nodes'], verbs: read },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
  { apiGroups: ['networking.k8s.io'], resources: ['servicecidrs'], verbs: read },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

const namespaceRules = {
  'kube-system': [
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['kube-proxy', 'kube-proxy-config'], verbs: read },
  ],
  default: [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }],
};
