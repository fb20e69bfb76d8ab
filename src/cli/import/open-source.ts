import type { Config } from '../../../config/schema.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { ImportFrom } from '../../import/import-run.ts';
import type { ReadTrouble } from '../../import/readers/access/patient-asker.ts';
import { surroundings } from '../call/invocation.ts';
import { printWarning } from '../call/output.ts';
import { abortedAtStop } from '../call/stop-signals.ts';
import type { ChosenSource } from './import-options.ts';

/** Runs work on a tracker, and ends its connections. The signal aborts when the command is stopped. */
export async function withSource<T>(
  config: Config,
  source: ChosenSource,
  work: (from: ImportFrom, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { createUrlGuard } = await import('../../thirdparty/guard/url-guard.ts');
  const { openReader } = await import('../../import/readers/open-reader.ts');
  const { troubleText } = await import('../../import/linked/progress-texts.ts');
  const stopping = abortedAtStop(surroundings().signals);
  const { url, organization, kind, token } = source;
  let last: ReadTrouble['kind'] | null = null;
  const onTrouble = (trouble: ReadTrouble | null): void => {
    if (trouble !== null && trouble.kind !== last) printWarning(troubleText(trouble));
    last = trouble?.kind ?? null;
  };
  const deps = { guard: createUrlGuard(config.outbound), clock: systemClock, onTrouble };
  const reader = await openReader(deps, { url, organization, kind, token: () => token }, stopping);
  try {
    return await work({ reader, url, organization }, stopping);
  } finally {
    reader.close();
  }
}
