/** Transport protocol of a Service port, as the API spells it. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** By the word that rules, dumps and users write. */
export const protocolsByWord: ReadonlyMap<string, Protocol> = new Map([
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
]);
