import type { CheckOptions } from './checkFileObject.ts';

/**
 * Options of k8snet.yaml as words of a command line, so that one parser reads both: `{ nodeIp: '10.0.0.1' }` becomes
 * `--node-ip=10.0.0.1`. `pathOf` gives the name of a file from the working directory.
 */
export function optionFlags(options: CheckOptions, pathOf: (path: string) => string): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (name === 'allocate') return value === false ? ['--no-allocate'] : [];
    if (typeof value === 'boolean') return value ? [flag] : [];
    if (name === 'config') return [`${flag}=${pathOf(String(value))}`];
    if (name === 'nodeAddress' && typeof value === 'object') return value.map((one) => `${flag}=${one}`);
    return [`${flag}=${typeof value === 'object' ? value.join(',') : value}`];
  });
}
