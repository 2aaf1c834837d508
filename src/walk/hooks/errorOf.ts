import type { Rejection } from '../../netfilter/meaning.ts';

export function errorOf(rejection: Extract<Rejection, { kind: 'icmp' }>, isV6: boolean): readonly [number, number] {
  return isV6 ? rejection.v6 : rejection.v4;
}
