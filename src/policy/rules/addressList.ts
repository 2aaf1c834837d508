import { contentName } from './contentName.ts';

/** Ascending addresses, each once, and the name of their set. */
export interface AddressList {
  readonly addresses: readonly bigint[];
  readonly name: string;
}

export function addressList(addresses: readonly bigint[]): AddressList {
  return { addresses, name: contentName('pods', addresses.join()) };
}
