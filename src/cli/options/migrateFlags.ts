import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { InputOptions, MessageOptions } from './commonOptions.ts';
import type { FactFlags } from './factOptions.ts';
import type { TargetFlags } from './targetOptions.ts';

/** The options of `migrate`. */
export interface MigrateFlags extends InputOptions, TargetFlags, FactFlags, MessageOptions {
  readonly to?: ProxyMode;
  readonly toVersion?: KubeVersion;
  readonly fromMode?: ProxyMode;
  readonly rules?: readonly string[];
  readonly limit?: number;
  readonly output: 'markdown' | 'json' | 'text';
}
