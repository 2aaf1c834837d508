import type { Network } from './parseNetwork.ts';

/** Which of some networks one more lies in, whole; the smallest first. */
export interface Membership {
  readonly asked: Network;
  readonly networks: readonly Network[];
}

export function membership(asked: Network, networks: readonly Network[]): Membership {
  const around = networks.filter(
    ({ family, range }) =>
      family === asked.family && range.first <= asked.range.first && asked.range.last <= range.last,
  );
  const size = ({ range }: Network) => range.last - range.first;
  return { asked, networks: around.sort((a, b) => (size(a) < size(b) ? -1 : size(a) > size(b) ? 1 : 0)) };
}
