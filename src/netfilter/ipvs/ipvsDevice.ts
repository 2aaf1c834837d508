/** The interface that kube-proxy binds the addresses of Services to in IPVS mode. */
export const ipvsDevice = 'kube-ipvs0';
