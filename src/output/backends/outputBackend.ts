import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { DialectIn } from '../../dialect/dialect.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { Artefact } from '../artefact.ts';
import type { OutputOptions } from '../outputOptions.ts';

/** What is printed of one mode. Its rules as data come from `pipeline/backends`. */
export interface OutputBackend<M extends ProxyMode> {
  /** Every file that the mode has, the script among them. */
  readonly files: (
    compiled: Compiled,
    dialect: DialectIn<M>,
    options: OutputOptions,
    report: Report,
  ) => readonly Artefact[];
  /** A script that takes everything off a node that kube-proxy wrote there. */
  readonly cleanup: () => Promise<string>;
}
