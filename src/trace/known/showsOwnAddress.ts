import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { dnsCacheDevice } from './dnsCacheInterface.ts';

/** Addresses of this interface are the node's own: others are those of Services, or of the DNS cache. */
export function showsOwnAddress({ name }: { readonly name: string }): boolean {
  return name !== 'lo' && name !== ipvsDevice && name !== dnsCacheDevice;
}
