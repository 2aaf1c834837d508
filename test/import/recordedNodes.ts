import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { byVersion } from '../support/byVersion.ts';
import { root } from '../support/compileCase.ts';

/** What one kube-proxy left on a node, as the tools show it. */
export interface RecordedNode {
  readonly name: string;
  readonly version: string;
  readonly hasNfacct: boolean;
  readonly files: readonly DumpFile[];
}

type Texts = ReadonlyMap<string, string>;

/** Every node that was recorded, of all modes and versions. Of IPVS mode before and after 1.30 there are no saved rules. */
export function* recordedNodes(): Iterable<RecordedNode> {
  for (const scenario of casesOf('services')) {
    for (const mode of ['iptables', 'ipvs', 'nftables']) {
      const texts = folderTexts(join('services', scenario, mode));
      yield node(`services/${scenario} ${mode}`, '1.30', texts, /\.save$|^addresses/);
    }
  }
  for (const folder of ['dialects', 'nft-dialects']) {
    for (const scenario of casesOf(folder)) {
      for (const version of casesOf(join(folder, scenario))) {
        const texts = folderTexts(join(folder, scenario, version));
        yield node(`${folder}/${scenario} ${version}`, version, texts, /\.save$/);
      }
    }
  }
  for (const scenario of casesOf('ipvs-dialects')) {
    for (const [version, texts] of byVersion(`golden/recorded/ipvs-dialects/${scenario}`)) {
      // Before 1.20 a kube-proxy had one family, and sets of both had the same names.
      const hasOne = Number(version.split('.')[1]) < 20 && texts.has('ipvsadm.v4.save');
      const wanted = hasOne ? /\.v4(?:\.save|\.restore)?$/ : /\.(?:save|restore)$|^addresses/;
      yield node(`ipvs-dialects/${scenario} ${version}`, version, texts, wanted);
    }
  }
  for (const scenario of casesOf('iptables-131plus')) {
    for (const range of casesOf(join('iptables-131plus', scenario))) {
      const [, version = ''] = /^(1\.\d+)/.exec(range) ?? [];
      const texts = folderTexts(join('iptables-131plus', scenario, range));
      yield node(`iptables-131plus/${scenario} ${range}`, version, texts, /\.restore$/);
    }
  }
}

function casesOf(folder: string): readonly string[] {
  return readdirSync(join(root, 'golden/recorded', folder)).filter((name) => !name.endsWith('.txt'));
}

function folderTexts(folder: string): Texts {
  const path = join(root, 'golden/recorded', folder);
  const files = existsSync(path) ? readdirSync(path) : [];
  return new Map(files.map((file) => [file, readFileSync(join(path, file), 'utf8')]));
}

function node(name: string, version: string, texts: Texts, wanted: RegExp): RecordedNode {
  const files = [...texts].filter(([file]) => wanted.test(file)).map(([file, text]) => ({ name: file, text }));
  return { name, version, hasNfacct: name.includes('nfacct'), files };
}
