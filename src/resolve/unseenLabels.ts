/** kube-proxy sees no object that carries one of these labels, whatever the value. */
export const unseenLabels = ['service.kubernetes.io/service-proxy-name', 'service.kubernetes.io/headless'] as const;
