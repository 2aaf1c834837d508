/** Transport protocol of a Service port, as the API spells it. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP';
