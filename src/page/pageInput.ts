import type { DumpFile, TextFile } from '../public/core.ts';

/** What a page shows: texts, and how they are compiled. The command line writes it into the page's file. */
export interface PageInput {
  readonly manifests: readonly TextFile[];
  readonly dumps: readonly DumpFile[];
  readonly settings: Settings;
}

/** Options of the command line by their names, as they are written there; what is not given is left out. */
export type Settings = Readonly<Partial<Record<SettingName, string>>>;

export type SettingName = (typeof settingNames)[number];

export const settingNames = [
  'mode',
  'kube-version',
  'node',
  'node-ip',
  'cluster-cidr',
  'service-cidr',
  'nodeport-addresses',
  'detect-local-mode',
  'masquerade-all',
  'assume-pods',
  'family',
] as const;

export const emptyInput: PageInput = { manifests: [], dumps: [], settings: {} };

const begin = '<script type="application/json" id="input">';
const end = '</script>';

/** The page with an input inside. As JSON without `<` nothing in it can end its element. */
export function embedInput(page: string, input: PageInput | { readonly follow: string }): string {
  const from = page.indexOf(begin) + begin.length;
  const json = JSON.stringify(input).replaceAll('<', '\\u003c');
  return page.slice(0, from) + json + page.slice(page.indexOf(end, from));
}
