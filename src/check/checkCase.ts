import type { Origin } from '../diagnostics/diagnostic.ts';

/** One case of k8snet.yaml, defaults filled in, paths from the working directory. */
export interface CheckCase {
  readonly name: string;
  readonly manifests: readonly string[];
  readonly isRecursive: boolean;
  /** Target options as a command line has them: `--mode=ipvs`. */
  readonly options: readonly string[];
  readonly golden: string;
  readonly form: 'save' | 'restore' | 'script' | 'json';
  readonly compare: 'bytes' | 'rules';
  /** Of the case in its file. */
  readonly origin: Origin;
}
