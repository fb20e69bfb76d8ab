import type { ProjectContext } from '../project-context.ts';
import { isInternal, isPartial } from '../tracker-failures.ts';

/**
 * Reserves the numbers of issues before the project's keys are valid here, because live events may come at once. Issues
 * are listed newest first, so one page is enough. What the tracker refuses is listed by the stage that needs it.
 */
export async function reserveNumbers(context: ProjectContext): Promise<void> {
  const { from, slug, signal } = context;
  // Ids of the others are no numbers.
  if (from.reader.kind !== 'sentry' && from.reader.kind !== 'glitchtip') return;
  try {
    for await (const page of from.reader.issues(slug, 'all', null, signal)) {
      for (const { id } of page.issues) await context.reserveNumber(id);
      return;
    }
  } catch (error) {
    if (signal.aborted || !(isPartial(error) || isInternal(error))) throw error;
  }
}
