/** A reverse proxy that does what Ingresses ask for, before it is spelled for a program. */
export interface IngressPlan {
  /** Sorted by name. */
  readonly upstreams: readonly Upstream[];
  /** Exact hosts in byte order, then wildcards. */
  readonly hosts: readonly HostPlan[];
  /** For requests to any other host. */
  readonly unknownHosts: readonly Location[];
  /** Addresses of DNS servers; empty: no target is a name. */
  readonly resolvers: readonly string[];
}

/** Servers that share requests in turn. */
export interface Upstream {
  readonly name: string;
  /** `ip:port`, `[ip]:port`, sorted. */
  readonly servers: readonly string[];
}

export interface HostPlan {
  /** Lower case. `*.example.com` covers exactly one label in the place of the star. */
  readonly host: string;
  /** The Secret whose certificate it has; undefined: plain HTTP only. */
  readonly tls: TlsSecret | undefined;
  /** Plain requests are sent to HTTPS. */
  readonly redirects: boolean;
  readonly locations: readonly Location[];
}

export interface TlsSecret {
  readonly namespace: string;
  readonly name: string;
}

/** Longest first, exact ones before prefixes; the prefix `/` is always there. */
export interface Location {
  readonly path: string;
  /** The path alone; otherwise every path that begins so and has no longer location. */
  readonly isExact: boolean;
  readonly target: IngressTarget;
}

export type IngressTarget =
  | { readonly kind: 'upstream'; readonly name: string; readonly isHttps: boolean }
  /** Looked up when a request comes. */
  | { readonly kind: 'name'; readonly host: string; readonly port: number; readonly isHttps: boolean }
  | { readonly kind: 'status'; readonly status: 404 | 503 };
