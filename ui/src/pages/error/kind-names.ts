import type { ErrorDetail } from '../../api/errors-api.ts';

/** Names of the trackers that errors come from. */
export const KIND_NAMES: Readonly<Record<NonNullable<ErrorDetail['imported']>['kind'], string>> = {
  sentry: 'Sentry',
  glitchtip: 'GlitchTip',
  urgentry: 'Urgentry',
  bugsink: 'Bugsink',
  errgate: 'errgate',
};
