/** What the name of a chain of kube-proxy's nftables mode says, or of the set of an endpoint's clients. */
export interface NftChainName {
  /** `namespace/name`. */
  readonly service: string;
  /** `tcp`; undefined: the chain's name was cut before it. */
  readonly protocol: string | undefined;
  /** Empty: the port has no name. Undefined: the chain's name was cut before it. */
  readonly portName: string | undefined;
  /** The part after the port: the endpoint, or `...` if kube-proxy cut a long name. */
  readonly rest: string;
}

/** Reads `service-2QRHZV4L-shop/web/tcp/http`, `set affinity-5OJB2KTY-shop/web/tcp/http__10.244.1.7/8080`. */
export function nftChainName(chain: string): NftChainName | undefined {
  const [, service, protocol, portName, rest = ''] = form.exec(chain) ?? [];
  return service === undefined ? undefined : { service, protocol, portName, rest };
}

const form = /^(?:set )?[a-z]+-[A-Z0-9]{8}-([a-z0-9-]+\/[a-z0-9.-]+)\/(?:(tcp|udp|sctp)\/([a-z0-9-]*)(.*))?/s;
