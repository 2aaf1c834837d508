import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compileCase.ts';

/** What one kube-proxy wrote in nftables mode for one case and family, and what the kernel's tools made of it. */
export interface RecordedNft {
  readonly name: string;
  readonly version: string;
  readonly family: 'v4' | 'v6';
  /** Under `fixtures`: manifests, args, config. */
  readonly fixture: string;
  /** The transaction. */
  readonly restore: string;
  /** What `nft list` printed, or undefined where nft or the kernel refused the transaction. */
  readonly save: string | undefined;
  /** What nft said of a transaction that it refused. */
  readonly errors: string | undefined;
}

/** Every recorded transaction: of 1.30 in breadth, and of all versions. Paths are absolute. */
export function recordedNft(): readonly RecordedNft[] {
  const services = casesIn('services').map((name) => ({ name, version: '1.30', folder: `services/${name}/nftables` }));
  const versions = casesIn('nft-dialects').flatMap((name) =>
    casesIn(`nft-dialects/${name}`).map((version) => ({ name, version, folder: `nft-dialects/${name}/${version}` })),
  );
  return [...services, ...versions].flatMap(({ name, version, folder }) =>
    (['v4', 'v6'] as const).flatMap((family): readonly RecordedNft[] => {
      const file = (form: string) => existing(join(root, 'golden/recorded', folder, `nft.${family}.${form}`));
      const restore = file('restore');
      const isOwn = existsSync(join(root, 'fixtures/nft-dialects', name));
      const fixture = `${isOwn ? 'nft-dialects' : 'services'}/${name}`;
      return restore === undefined
        ? []
        : [{ name, version, family, fixture, restore, save: file('save'), errors: file('errors') }];
    }),
  );
}

function casesIn(folder: string): readonly string[] {
  return readdirSync(join(root, 'golden/recorded', folder));
}

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
