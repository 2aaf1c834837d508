import type { PortRange } from '../common/addresses/portRange.ts';
import type { FieldValidation } from './fields/fieldValidation.ts';
import type { KnownKind } from './kinds/kinds.ts';
import type { ReadingProxy } from './readingProxy.ts';
import type { SoundObjects } from './soundObjects.ts';

/** What validation depends on. */
export interface ValidateOptions {
  /** Kinds that are of use besides those of rules. */
  readonly beside?: readonly KnownKind[];
  /** What will read the objects. Default: the newest kube-proxy. */
  readonly proxy?: ReadingProxy;
  /** What newer API servers take is a warning. */
  readonly takesLaterNames?: boolean;
  /** In which node ports must lie. Default: that of the API server. */
  readonly nodePortRange?: PortRange | undefined;
  /** Default: warn. Those of a NetworkPolicy are always errors: without `from`, misspelt, a rule allows everybody. */
  readonly unknownFields?: FieldValidation | undefined;
  /** What earlier checks with the same options found sound; what this one does is added. */
  readonly sound?: SoundObjects | undefined;
}
