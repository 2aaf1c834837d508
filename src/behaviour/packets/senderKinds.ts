/** Where packets come from. */
export const senderKinds = [
  'pod',
  'endpoint',
  'remote-pod',
  'remote-endpoint',
  'other-node',
  'node',
  'outside',
] as const;

export type SenderKind = (typeof senderKinds)[number];

/** They send to a Service of theirs. */
export function areEndpoints(kind: SenderKind): boolean {
  return kind === 'endpoint' || kind === 'remote-endpoint';
}
