import { settingNames } from '../pageInput.ts';
import type { Variant } from '../protocol.ts';
import type { PageState } from './pageState.ts';

/** What gives in a shell what the page shows: the same input, by the names of its files, and the same options. */
export function commandLine(state: PageState, variant: Variant = state.variant): string {
  const files = state.input.manifests.flatMap(({ name }) => ['-f', name]);
  const dumps = state.input.dumps.filter(({ text }) => text.trim() !== '').map(({ name }) => name);
  switch (state.view) {
    case 'walk': {
      const { from, to, proto } = state.walk;
      const packet = ['--from', from, '--to', to, ...(proto === '' ? [] : ['--proto', proto])];
      return words('k8snet', 'trace', ...dumps, ...files, ...settingWords(state), ...packet, '-o', 'json');
    }
    case 'policies': {
      const { rows, family } = state.policies;
      const pods = state.input.settings['assume-pods'] === 'true' ? ['--assume-pods'] : [];
      const own = [...(rows === 'pods' ? ['--pods'] : []), ...(family === 'ipv6' ? ['--family', family] : [])];
      return words('k8snet', 'policy', 'matrix', ...files, ...pods, ...own);
    }
    case 'findings': {
      if (dumps.length === 0) return words('k8snet', 'lint', ...files, ...settingWords(state));
      if (files.length === 0) return words('k8snet', 'doctor', ...dumps);
      return words('k8snet', 'diff', ...files, ...settingWords(state), ...dumps);
    }
    default:
      if (variant.form === 'dump') return words('cat', ...dumps);
      return words('k8snet', 'compile', ...files, ...settingWords(state, variant), '-o', variant.form);
  }
}

function settingWords({ input }: PageState, variant?: Variant): readonly string[] {
  const chosen: Readonly<Record<string, string>> = {
    ...(variant !== undefined && variant.mode !== '' && { mode: variant.mode }),
    ...(variant !== undefined && variant.version !== '' && { 'kube-version': variant.version }),
    ...(variant !== undefined && variant.family !== 'both' && { family: variant.family }),
  };
  return settingNames.flatMap((name) => {
    const value = chosen[name] ?? input.settings[name] ?? '';
    if (value === '' || value === 'false') return [];
    return value === 'true' ? [`--${name}`] : [`--${name}`, value];
  });
}

/** Names are what somebody else wrote: a shell takes each as one word. */
function words(...all: readonly string[]): string {
  return all.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
