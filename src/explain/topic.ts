import type { Compiled } from '../pipeline/compile.ts';
import type { Plan, ServicePlan } from '../plan/plan.ts';

/** Something about Services that people ask about, explained in general and for given objects. */
export interface Topic {
  readonly title: string;
  /** Paragraphs that hold whatever the objects are. */
  readonly about: readonly string[];
  /** What it comes to for Service ports of one family on the chosen node; empty: nothing to say of them. */
  readonly ofServices: (services: readonly ServicePlan[], plan: Plan, compiled: Compiled) => readonly ServiceWords[];
}

/** What is said of one Service port: a heading and lines below it. */
export interface ServiceWords {
  readonly heading: string;
  readonly lines: readonly string[];
}
