import { nftChainName } from './nftChainName.ts';
import { servicePortText } from './readServicePortName.ts';

/** `namespace/name:port` in the name of a chain of nftables mode. */
export function nftServiceName(chain: string): string | undefined {
  const { service = '', portName } = nftChainName(chain) ?? {};
  return portName === undefined ? undefined : servicePortText({ service, portName });
}
