import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { proxyModes } from '../common/proxy/proxyMode.ts';
import type { ModeDetection } from '../diff/settle/detectDumped.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import type { ReadOptions } from '../dump/readDumps.ts';
import type { Imported, ImportOptions as ImportRulesOptions } from '../import/importRules.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { versionOf } from '../pipeline/compileInput.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { dumpRules, importRules as importOptionRules } from './options/optionRules.ts';
import { oneOf } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** Rules of a node, read from what its tools print. */

/**
 * Reads the dumps of one node: what iptables-save, nft, ipset, ipvsadm, ip, conntrack and bridge print, whole or in
 * parts. What could not be read is part of the value. It is undefined only where options are wrong.
 */
export async function readDump(
  files: readonly DumpFile[],
  options: ReadOptions,
): Promise<Result<NodeRules | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, dumpRules, report)) return undefined;
    return (await import('../dump/readDumps.ts')).readDumps(files, options);
  });
}

/** The canonical text of a node, in pieces. */
export async function canonicalText(node: NodeRules): Promise<Iterable<string>> {
  return (await import('../node/canonicalText.ts')).canonicalText(node);
}

/** Which dumps are looked at. */
export interface DetectOptions extends ReadOptions {
  /** Default: each mode that the dumps show. */
  readonly mode?: ProxyMode | undefined;
}

const detectRules: OptionRules<DetectOptions> = { ...dumpRules, mode: oneOf(...proxyModes) };

/**
 * Names the versions of kube-proxy that could have written the dumps of one node, for each mode that they show or for the
 * one that is asked. The value is undefined also where they hold no rules of kube-proxy.
 */
export async function detectVersions(
  files: readonly DumpFile[],
  options: DetectOptions,
): Promise<Result<readonly ModeDetection[] | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, detectRules, report)) return undefined;
    const { mode, ...reading } = options;
    return (await import('../diff/settle/detectDumped.ts')).detectDumped(files, reading, mode);
  });
}

/** What is known of the node whose rules are read back. */
export interface ImportOptions extends Omit<ImportRulesOptions, 'kubeVersion'> {
  /** Default: the one that the rules show. */
  readonly kubeVersion?: string | ImportRulesOptions['kubeVersion'];
}

/** Reads manifests back from the rules of a node: the Services, endpoints and settings of which kube-proxy makes them. */
export async function importRules(dump: NodeRules, options: ImportOptions = {}): Promise<Result<Imported | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, importOptionRules, report)) return undefined;
    const own = { ...options, kubeVersion: versionOf(options.kubeVersion) };
    return (await import('../import/importRules.ts')).importRules(dump, own, report);
  });
}

/** How imported manifests are written. */
export interface PrintImportedOptions {
  /** YAML with remarks on what was made up (the default), or a List in JSON. */
  readonly form?: 'yaml' | 'json' | undefined;
}

const printImportedRules: OptionRules<PrintImportedOptions> = { form: oneOf('yaml', 'json') };

/** Imported manifests as text, in pieces. The value is undefined only where options are wrong. */
export async function printImported(
  imported: Imported,
  options: PrintImportedOptions = {},
): Promise<Result<Iterable<string> | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, printImportedRules, report)) return undefined;
    if (options.form === 'json')
      return (await import('../import/manifests/printJson.ts')).printJson(imported.manifests);
    const [{ printYaml }, { importTitle }] = await Promise.all([
      import('../import/manifests/printYaml.ts'),
      import('../import/importTitle.ts'),
    ]);
    return printYaml(imported.manifests, importTitle(imported));
  });
}
