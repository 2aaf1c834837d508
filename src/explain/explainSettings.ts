import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { KubeProxyConfigurationObject } from '../validate/kinds/kubeProxyConfigurationObject.ts';
import { type Setting, settings } from './settings.ts';

/** A field that is given, and what it changes. */
export interface ExplainedSetting {
  /** Steps with dots between. */
  readonly name: string;
  /** As JSON; undefined where it does not matter. */
  readonly value: string | undefined;
  /** How it stands to the default, or that the mode does not look at it. */
  readonly remark: string | undefined;
  readonly effect: string;
}

/** What the fields that are given in a configuration change, in the order of the table; those that change no rule last. */
export function explainSettings(config: KubeProxyConfigurationObject, mode: ProxyMode): readonly ExplainedSetting[] {
  const explained = settings
    .filter(({ path }) => isGiven(valueAt(config, path)))
    .map((setting) => explainOne(setting, valueAt(config, setting.path), mode));
  const others = otherFields(config).map((name) => ({
    name,
    value: undefined,
    remark: undefined,
    effect: 'changes no rule.',
  }));
  return [...explained, ...others];
}

function explainOne({ path, byDefault, effect, modes }: Setting, given: unknown, mode: ProxyMode): ExplainedSetting {
  const value = JSON.stringify(given);
  const usual = JSON.stringify(byDefault);
  const isIdle = modes !== undefined && !modes.includes(mode);
  const remark = isIdle ? `without effect in ${mode} mode` : value === usual ? 'as by default' : `default: ${usual}`;
  return { name: path, value, remark, effect };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function valueAt(config: KubeProxyConfigurationObject, path: string): unknown {
  let value: unknown = config;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Fields at the top that no setting of the table speaks of. */
function otherFields(config: KubeProxyConfigurationObject): readonly string[] {
  const spokenOf = new Set([...settings.map(({ path }) => path.split('.')[0]), 'apiVersion', 'kind', 'metadata']);
  return Object.entries(config)
    .filter(([name, value]) => isGiven(value) && !spokenOf.has(name))
    .map(([name]) => name);
}
