import type { Report } from '../../diagnostics/diagnostic.ts';
import type { KubeProxyConfigurationObject } from '../../validate/kinds/kubeProxyConfigurationObject.ts';
import { validateProxyConfiguration } from '../../validate/validateProxyConfiguration.ts';
import type { CompileInput } from '../compile.ts';
import { readingProxy } from './readingProxy.ts';

/** Only the checked settings of `--config`. Undefined: an error was reported, or nothing was given. */
export function readConfig(
  input: Pick<CompileInput, 'configObjects' | 'target' | 'kubeVersion' | 'unknownFields'>,
  report: Report,
): KubeProxyConfigurationObject | undefined {
  const proxy = readingProxy(input.target, input.kubeVersion);
  for (const object of input.configObjects) {
    const config = validateProxyConfiguration(object, proxy, report, input.unknownFields);
    if (config !== undefined) return config.value;
  }
  return undefined;
}
