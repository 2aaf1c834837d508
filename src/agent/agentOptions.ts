import type { LiveOptions } from '../live/liveOptions.ts';

/** The agent's options; times in milliseconds. */
export interface AgentOptions {
  readonly node: string;
  /** The time between two looks at the rules. */
  readonly interval: number;
  /** How long objects and rules must stay the same before a difference counts. */
  readonly settle: number;
  readonly listen: ListenAddress;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Who may read metrics and reports. */
  readonly auth: 'none' | 'token-review';
  /** Whether reports are also served to callers outside this Pod. */
  readonly servesReport: boolean;
  readonly writesEvents: boolean;
  readonly writesCondition: boolean;
  /** Whether rules of NetworkPolicies are compared too. */
  readonly comparesPolicies: boolean;
  readonly cluster: LiveOptions;
  readonly version: string;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:9965`, `[::1]:9965`, `:9965` for all addresses; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, six, other = '', digits = ''] = /^(?:\[([0-9a-fA-F:.%\w]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  return { host: six ?? (other === '' ? '::' : other), port };
}
