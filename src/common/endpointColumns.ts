/** The endpoints of one EndpointSlice: places `start` to `end` in columns that it shares with others. */
export interface EndpointColumns {
  readonly start: number;
  readonly end: number;
  readonly addresses: readonly string[];
  /** Which of the states. */
  readonly stateOf: readonly number[];
  /** What endpoints are apart from their address, as in the slice: conditions, nodeName, hints. */
  readonly states: readonly object[];
}

/** Stands in a slice that has columns; no text can hold such a key, and copies of this file agree on it. */
export const columnsKey = Symbol.for('k8snet.endpointColumns');

/** The columns of an EndpointSlice that was read ahead, and so found sound; undefined for every other value. */
export function columnsOf(value: object): EndpointColumns | undefined {
  return (value as { readonly [columnsKey]?: EndpointColumns })[columnsKey];
}
