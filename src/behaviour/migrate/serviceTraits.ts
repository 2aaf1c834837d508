import type { Compiled } from '../../pipeline/compile.ts';

/** Requests of a Service port that modes treat differently. */
export interface ServiceTraits {
  readonly hasSourceRanges: boolean;
  readonly isExternalLocal: boolean;
  readonly isInternalLocal: boolean;
  /** An address is both an external IP and a load balancer's. */
  readonly sharesAddress: boolean;
}

/** By `namespace/name:port`. */
export function serviceTraits({ model }: Compiled): ReadonlyMap<string, ServiceTraits> {
  return new Map(
    model.servicePorts.map((port) => {
      const { namespace, name, portName, sourceRanges, externalIPs, loadBalancerIngress } = port;
      const traits: ServiceTraits = {
        hasSourceRanges: sourceRanges.length > 0 || (port.beta?.sourceRanges.length ?? 0) > 0,
        isExternalLocal: port.isExternalPolicyLocal,
        isInternalLocal: port.isInternalPolicyLocal,
        sharesAddress: loadBalancerIngress.some(({ ip }) => externalIPs.includes(ip)),
      };
      return [portName === '' ? `${namespace}/${name}` : `${namespace}/${name}:${portName}`, traits] as const;
    }),
  );
}
