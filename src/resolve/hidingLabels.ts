import type { PlanDialect } from '../dialect/plan/planDialect.ts';

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

/** What some version ignores: a check without a known version says nothing about it. */
export const hiddenBySome: HidingLabels = hidingLabels.eitherOfBoth;
