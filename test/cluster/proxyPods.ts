import type { Cluster } from './openCluster.ts';

/** What a DaemonSet of kube-proxy would have made; nothing runs in it. */
export async function createProxyPods({ api, nodes }: Cluster): Promise<void> {
  const pods = '/api/v1/namespaces/kube-system/pods';
  const account = '/api/v1/namespaces/kube-system/serviceaccounts';
  if ((await api.tryGet(`${account}/default`)) === undefined)
    await api.create(account, { metadata: { name: 'default' } });
  for (const { name } of nodes) {
    await api.create(pods, {
      metadata: { name: `kube-proxy-${name}`, labels: { 'k8s-app': 'kube-proxy' } },
      spec: { nodeName: name, hostNetwork: true, containers: [{ name: 'kube-proxy', image: 'kube-proxy' }] },
    });
    await api.patch(`${pods}/kube-proxy-${name}/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }
}
