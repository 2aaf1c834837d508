import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from './loaded.ts';

/**
 * What was read, with the settings that ConfigMaps carry in their place. Nearly no input holds a ConfigMap: the code for
 * them is loaded when one does.
 */
export async function unpackLoaded(loaded: Loaded, report: Report): Promise<Loaded> {
  if (!loaded.objects.some(({ kind }) => kind === 'ConfigMap')) return loaded;
  const { unpackConfigMaps } = await import('./unpackConfigMaps.ts');
  return { ...loaded, objects: await unpackConfigMaps(loaded.objects, report) };
}
