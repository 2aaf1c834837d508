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
