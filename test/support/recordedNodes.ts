import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compileCase.ts';
import { recordedNft } from './recordedNft.ts';

/** What a node in IPVS or nftables mode was recorded to hold. */
export interface RecordedNode {
  readonly scenario: string;
  readonly fixture: string;
  readonly version: string;
  readonly mode: 'ipvs' | 'nftables';
  readonly family: 'ipv4' | 'ipv6';
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** Of one family each: every scenario at 1.30, and nftables mode at all other versions. */
export function recordedNodes(): readonly RecordedNode[] {
  return [...nodesOfServices(), ...nodesOfVersions()];
}

/** nftables mode as every version but 1.30 writes it. */
function nodesOfVersions(): readonly RecordedNode[] {
  return recordedNft()
    .filter(({ version, save }) => version !== '1.30' && save !== undefined)
    .map(({ name, version, family, fixture, save }) => ({
      scenario: name,
      fixture,
      version,
      mode: 'nftables',
      family: family === 'v4' ? 'ipv4' : 'ipv6',
      files: [{ name: `nft.${family}.save`, text: readFileSync(save as string, 'utf8') }],
    }));
}

function nodesOfServices(): readonly RecordedNode[] {
  return readdirSync(join(root, 'golden/recorded/services')).flatMap((scenario) =>
    (['ipvs', 'nftables'] as const).flatMap((mode) =>
      (['ipv4', 'ipv6'] as const).flatMap((family) => {
        const folder = join(root, 'golden/recorded/services', scenario, mode);
        const files = (existsSync(folder) ? readdirSync(folder) : [])
          .filter((name) => name.includes(`.v${family.slice(3)}`) && !name.endsWith('.restore'))
          .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
        const fixture = `services/${scenario}`;
        return files.length === 0 ? [] : [{ scenario, fixture, version: '1.30', mode, family, files }];
      }),
    ),
  );
}
