import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { ServiceObject } from '../validate/kinds/manifests.ts';

/** By kind of object, the labels that make kube-proxy ignore it, whatever their value. */
export interface HidingLabels {
  readonly services: readonly string[];
  readonly slices: readonly string[];
}

const [proxyName, headless] = ['service.kubernetes.io/service-proxy-name', 'service.kubernetes.io/headless'];

export const hidingLabels: Readonly<Record<PlanDialect['hidingLabels'], HidingLabels>> = {
  eitherOfBoth: { services: [proxyName, headless], slices: [proxyName, headless] },
  oneOfEach: { services: [proxyName], slices: [headless] },
};

/** The label by which a Service is left to another proxy than kube-proxy. */
export function labelThatHides({ metadata }: ServiceObject, { services }: HidingLabels): string | undefined {
  return services.find((label) => Object.hasOwn(metadata.labels ?? {}, label));
}

/** What some version ignores: a check without a known version says nothing about it. */
export const hiddenBySome: HidingLabels = hidingLabels.eitherOfBoth;
