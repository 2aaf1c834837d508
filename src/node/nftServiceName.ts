import { nftChainName } from './nftChainName.ts';

/** `namespace/name:port` in the name of a chain of nftables mode. */
export function nftServiceName(chain: string): string | undefined {
  const { service, portName } = nftChainName(chain) ?? {};
  if (portName === undefined) return undefined;
  return portName === '' ? service : `${service}:${portName}`;
}
