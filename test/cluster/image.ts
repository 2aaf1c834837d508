import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../support/compileCase.ts';

/** The folder that `npm run build:image` wrote to. */
const folder = process.env.K8SNET_IMAGE ? resolve(root, process.env.K8SNET_IMAGE) : undefined;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** The name of our image in containerd. */
export const imageName = `localhost/k8snet:${version}`;

/** Why there is no image, with the commands that help; undefined: there is one. */
export function lacksImage(): string | undefined {
  if (folder !== undefined) return undefined;
  return 'no image: npm run build:image -- FOLDER --executable FILE, then K8SNET_IMAGE=FOLDER npm test -- cluster/';
}

/** Our image as an OCI archive. */
export function imageArchive(): string {
  return only('.tar');
}

/** Its bill of materials. */
export function imageBill(): string {
  return only('.cdx.json');
}

function only(ending: string): string {
  const files = readdirSync(folder ?? '').filter((file) => file.endsWith(ending));
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`${folder} has ${files.length} files of ${ending}`);
  return join(folder ?? '', file);
}

/** What an image says of itself. */
export interface ImageConfig {
  readonly created: string;
  readonly architecture: string;
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Env: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

/** Takes an OCI archive apart: its configuration, and its only layer as a tar file, compressed. */
export function readImage(archive: string): { readonly config: ImageConfig; readonly layer: Buffer } {
  const take = (path: string) =>
    execFileSync('tar', ['--extract', '--to-stdout', '--file', archive, `./${path}`], { maxBuffer: 2 ** 30 });
  const blob = (digest: string) => take(`blobs/${digest.replace(':', '/')}`);
  const { manifests } = JSON.parse(take('index.json').toString()) as { readonly manifests: readonly Descriptor[] };
  const { config, layers } = JSON.parse(blob(manifests[0]?.digest ?? '').toString()) as {
    readonly config: Descriptor;
    readonly layers: readonly Descriptor[];
  };
  if (layers.length !== 1) throw new Error(`${archive} has ${layers.length} layers`);
  return { config: JSON.parse(blob(config.digest).toString()) as ImageConfig, layer: blob(layers[0]?.digest ?? '') };
}

interface Descriptor {
  readonly digest: string;
}
