import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { HealthyCase } from './healthyCase.ts';

/** An object of a healthy cluster. */
export interface HealthyItem {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The objects of a case one by one, those of Lists, too. */
export function healthyItems({ folder }: Pick<HealthyCase, 'folder'>): readonly HealthyItem[] {
  const text = readFileSync(join(folder, 'manifests.yaml'), 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    const value = document.toJS() as (HealthyItem & { readonly items?: readonly HealthyItem[] }) | null;
    return value?.items ?? (value === null ? [] : [value]);
  });
}
