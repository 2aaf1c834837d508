/** What the command line says about the proxy, with defaults filled in. */
export interface IngressOptions {
  /** Proxy to the endpoints themselves, or to the cluster IP. */
  readonly upstream: 'endpoints' | 'cluster-ip';
  /** Only Ingresses of this class; undefined: all. */
  readonly ingressClass?: string;
  /** `namespace/service:port`, the port a number or a name. */
  readonly defaultBackend?: { readonly namespace: string; readonly service: string; readonly port: string };
  /** Plain requests to hosts with TLS go to HTTPS, unless their Ingress says otherwise. */
  readonly redirectsToTls: boolean;
}
