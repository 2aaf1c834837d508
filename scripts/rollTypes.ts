import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '..');

/** The types of the API. */
export interface RolledTypes {
  /** One file of declarations that imports nothing. */
  readonly declarations: string;
  /** What the API exports, in a form in which a change is seen at once. */
  readonly surface: string;
}

/**
 * Rolls the declarations of all sources up into one file, which is what a version promises: what is not exported in it
 * may be moved and renamed.
 */
export async function rollTypes(): Promise<RolledTypes> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-types-'));
  try {
    const declared = join(folder, 'src');
    await declare(declared);
    const entry = join(declared, 'public/api.d.ts');
    writeFileSync(join(folder, 'package.json'), '{ "name": "k8snet", "version": "0.0.0", "type": "module" }\n');
    const libraries = {
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const compilerOptions = { ...libraries, module: 'nodenext', moduleResolution: 'nodenext', strict: true };
    const extractorConfig = ExtractorConfig.prepare({
      configObjectFullPath: join(folder, 'api-extractor.json'),
      packageJsonFullPath: join(folder, 'package.json'),
      configObject: {
        projectFolder: folder,
        newlineKind: 'lf',
        mainEntryPointFilePath: entry,
        compiler: { overrideTsconfig: { compilerOptions, files: [entry] } },
        apiReport: { enabled: true, reportFolder: folder, reportTempFolder: join(folder, 'temporary') },
        dtsRollup: { enabled: true, untrimmedFilePath: join(folder, 'rolled.d.ts') },
        docModel: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
          // Reachable types without an exported name do not belong to the surface, and comments are not TSDoc.
          extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
          tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        },
      },
    });
    const { succeeded } = Extractor.invoke(extractorConfig, {
      localBuild: true,
      messageCallback: (message) => {
        // Its own talk: versions, and that the report is new.
        message.handled = message.logLevel !== ExtractorLogLevel.Error;
      },
    });
    const declarations = readFileSync(join(folder, 'rolled.d.ts'), 'utf8');
    if (!succeeded || /^import /m.test(declarations)) throw new Error('the types do not roll up into one file');
    return { declarations, surface: surfaceOf(readFileSync(join(folder, 'k8snet.api.md'), 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Declarations say what the sources say; whether that is right is checked elsewhere. */
async function declare(folder: string): Promise<void> {
  const options = [
    ...['--noEmit', 'false', '--noCheck', '--declaration', '--emitDeclarationOnly'],
    '--rewriteRelativeImportExtensions',
  ];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const source = join(root, 'src');
  const places = ['--rootDir', source, '--outDir', folder];
  const words = [tsc, '-p', join(root, 'tsconfig.build.json'), ...options, ...places];
  const [status] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'close');
  if (status !== 0) throw new Error(`tsc ended with ${status}`);
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.mts')) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(source, name), join(folder, name));
  }
}

/** The code of a report alone: its head speaks of the tool. */
function surfaceOf(report: string): string {
  const code = /```ts\n\n?([\s\S]*?)\n*```/.exec(report)?.[1] ?? '';
  return `${code.replaceAll(/^ *\/\/ (?:@public)? ?\(undocumented\)\n|^\/\/ @public\n/gm, '')}\n`;
}
