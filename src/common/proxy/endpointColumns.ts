/** The endpoints of one EndpointSlice: places `start` to `end` in columns that it shares with others. */
export interface EndpointColumns {
  readonly start: number;
  readonly end: number;
  readonly addresses: readonly string[];
  /** Which of the states. */
  readonly stateOf: readonly number[];
  /** Endpoints without their addresses, as in the slice: conditions, nodeName, hints. */
  readonly states: readonly object[];
}

/** The key by which a slice holds its columns. No text can contain such a key, and copies of this file agree on it. */
export const columnsKey = Symbol.for('k8snet.endpointColumns');

/** The columns of an EndpointSlice that was read ahead, and is therefore valid; undefined for every other value. */
export function columnsOf(value: object): EndpointColumns | undefined {
  return (value as { readonly [columnsKey]?: EndpointColumns })[columnsKey];
}
