import { foldDiagnostics } from '../../../diagnostics/foldDiagnostics.ts';
import { orderDiagnostics } from '../../../diagnostics/orderDiagnostics.ts';
import { renderText } from '../../../diagnostics/renderText.ts';
import { createLocator } from '../../../load/locate.ts';
import type { MessageOptions } from '../../options/commonOptions.ts';
import { chalkFor, diagnosticStyle } from '../../write/style.ts';
import type { Judge } from '../judge/openJudge.ts';

export interface Opened {
  readonly said: string;
  readonly hasErrors: boolean;
}

/** What there is to say about what was read for all nodes, as it is printed. */
export async function openedText(
  { said, sources }: Pick<Judge, 'said' | 'sources'>,
  { quiet, verbose, color }: MessageOptions,
): Promise<Opened> {
  const hasErrors = said.some(({ severity }) => severity === 'error');
  const news = said.filter(({ severity }) => !quiet || severity === 'error');
  if (news.length === 0) return { said: '', hasErrors };
  const shown = verbose ? news : foldDiagnostics(news);
  const locate = await createLocator(
    sources,
    shown.flatMap(({ at }) => at),
  );
  const style = diagnosticStyle(chalkFor(color, process.stderr.isTTY === true, process.env));
  return { said: renderText(orderDiagnostics(shown, locate), locate, style), hasErrors };
}
