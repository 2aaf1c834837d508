import type { TraceConditions } from '../tracer.ts';

export const noConditions: TraceConditions = { seen: [], elapsed: 0 };
