import type { ErrorMarks } from '../../../domain/errors/error-marks.ts';
import type { ImportedOrigin } from '../../../domain/errors/error-origin.ts';
import type { TrackedError, TrackedErrorDetail } from '../../../domain/errors/tracked-error.ts';
import { presenter } from '../../http/presenter.ts';
import { errorUrl, type ErrorContext, type ErrorPlace } from '../shared/error-place.ts';
import { marksSchema } from './error-marks-schema.ts';
import { errorDetailSchema, errorSchema } from './error-schema.ts';

const present = presenter(errorSchema);
const presentDetail = presenter(errorDetailSchema);

const presentNamed = presenter(marksSchema);

export function presentMarks(marks: ErrorMarks) {
  return presentNamed(shownMarks(marks));
}

/** Returns marks under the names of their schema. */
function shownMarks({ isNew, unmuted, ...marks }: ErrorMarks) {
  const { reason = null, count = null } = unmuted?.cause ?? {};
  return { ...marks, new: isNew, unmuted: unmuted === null ? null : { at: unmuted.at, reason, count } };
}

function shown(error: TrackedError, context: ErrorPlace) {
  return {
    ...error,
    integrated: context.integrated,
    // The details of a tracker's error are null where it does not tell them.
    statusDetails: error.statusDetails ?? (error.tracker === null ? {} : null),
    webUrl: errorUrl(context, error.id),
    marks: error.marks === null ? null : shownMarks(error.marks),
  };
}

export function presentError(error: TrackedError, context: ErrorPlace) {
  return present(shown(error, context));
}

export function presentErrorDetail(error: TrackedErrorDetail, context: ErrorContext) {
  const imported = error.imported === null ? null : shownOrigin(error.imported);
  return presentDetail({ ...error, ...shown(error, context), imported });
}

function shownOrigin(origin: ImportedOrigin) {
  return {
    ...origin,
    statusDetails: parsed(origin.statusDetails),
    notes: origin.notes.map((note) => ({ ...note, createdAt: note.at })),
  };
}

/** Returns details of a tracker as an object; null for anything else. */
function parsed(json: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
