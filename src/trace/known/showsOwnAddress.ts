import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { dnsCacheDevice } from './dnsCacheInterface.ts';

/** Addresses of this interface belong to the node: all others belong to Services, or the DNS cache. */
export function showsOwnAddress({ name }: { readonly name: string }): boolean {
  return name !== 'lo' && name !== ipvsDevice && name !== dnsCacheDevice;
}
