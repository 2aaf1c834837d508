/** Endpoints with this label set to "true" are not mirrored into slices by the cluster, so kube-proxy never sees them. */
export const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';
