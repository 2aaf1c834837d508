import type { DiagnosticCode } from '../../problems/problemCode.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import { collectMessages, type Messages } from '../write/messages.ts';

/**
 * The messages of a command that asks something about the rules of a node: without the notes about all the Services that have
 * no rules, which `-v` prints. The answer says it of the Service in the question.
 */
export function walkMessages(options: MessageOptions): Messages {
  return collectMessages(options.verbose ? options : { ...options, ignore: aboutServices });
}

const aboutServices: readonly DiagnosticCode[] = ['no-endpoints', 'service-without-rules'];
