import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byVersion } from './byVersion.ts';
import { root } from './compileCase.ts';

/** What one version wrote for one scenario, as a node of one family would show it. */
export interface RecordedDump {
  readonly mode: 'iptables' | 'ipvs' | 'nftables';
  readonly version: string;
  readonly scenario: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** Every recorded dump of every version and mode: saves, listings, and of IPVS mode what was handed to the tools. */
export function* recordedDumps(): Iterable<RecordedDump> {
  for (const [mode, folder, kind] of [
    ['iptables', 'dialects', 'iptables.FAMILY.save'],
    ['nftables', 'nft-dialects', 'nft.FAMILY.save'],
  ] as const) {
    const golden = join(root, 'golden/recorded', folder);
    for (const scenario of readdirSync(golden)) {
      for (const version of readdirSync(join(golden, scenario)).filter((one) => /^1\.\d/.test(one))) {
        const files = readdirSync(join(golden, scenario, version));
        const texts = new Map(
          files.map((file) => [file, readFileSync(join(golden, scenario, version, file), 'utf8')] as const),
        );
        yield* ofFamilies({ mode, version, scenario }, [kind], texts);
      }
    }
  }
  for (const scenario of readdirSync(join(root, 'golden/recorded/ipvs-dialects'))) {
    for (const [version, texts] of byVersion(`golden/recorded/ipvs-dialects/${scenario}`)) {
      yield* ofFamilies({ mode: 'ipvs', version, scenario }, ['iptables.FAMILY.restore', 'ipset.FAMILY.save'], texts);
    }
  }
}

function* ofFamilies(
  dump: Omit<RecordedDump, 'files'>,
  kinds: readonly string[],
  texts: ReadonlyMap<string, string>,
): Iterable<RecordedDump> {
  for (const family of ['v4', 'v6']) {
    const files = kinds.flatMap((kind) => {
      const name = kind.replace('FAMILY', family);
      const text = texts.get(name);
      return text === undefined ? [] : [{ name, text }];
    });
    if (files.length > 0) yield { ...dump, files };
  }
}
