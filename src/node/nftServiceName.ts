/** `namespace/name:port` in the name of a chain of nftables mode, `service-2QRHZV4L-shop/web/tcp/http`. */
export function nftServiceName(chain: string): string | undefined {
  const parts = /^[a-z]+-[A-Z0-9]{8}-([a-z0-9-]+\/[a-z0-9.-]+)\/(?:tcp|udp|sctp)\/([a-z0-9-]*)/.exec(chain);
  return parts === null ? undefined : `${parts[1]}${parts[2] === '' ? '' : `:${parts[2]}`}`;
}
