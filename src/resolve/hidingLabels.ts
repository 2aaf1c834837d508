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

/** The label by which a Service or a slice is left to another proxy than kube-proxy. `hiding`: those of its kind. */
export function labelThatHides({ metadata }: Labelled, hiding: readonly string[]): string | undefined {
  const { labels } = metadata;
  return labels ? hiding.find((label) => Object.hasOwn(labels, label)) : undefined;
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, unknown>> | null | undefined };
}

/** What some version ignores: a check without a known version says nothing about it. */
export const hiddenBySome: HidingLabels = hidingLabels.eitherOfBoth;
