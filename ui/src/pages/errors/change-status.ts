import { ApiFailure } from '../../api/api-failure.ts';
import { changeErrors, type BulkResult } from '../../api/error-list-api.ts';
import { setErrorStatus, type TrackedError } from '../../api/errors-api.ts';
import { changeBack, type StatusChange } from './status-change.ts';

type State = Pick<TrackedError, 'status' | 'status_details'>;
type Row = State & Pick<TrackedError, 'id' | 'integrated'>;

/** What became of a change of several errors, or of its undo. */
export interface Sent {
  /** States before of the changed errors. */
  readonly previous: BulkResult['previous'];
  /** States that the service has stored, by id, as far as it tells. */
  readonly stored: ReadonlyMap<string, State>;
  readonly failed: readonly { readonly id: string; readonly failure: ApiFailure }[];
  /** Errors that an undo left as others have changed them. */
  readonly skipped: readonly string[];
  /** Errors that an undo did not find. */
  readonly gone: readonly string[];
}

const NOTHING: BulkResult = { changed: 0, unchanged: 0, skipped: [], gone: [], failed: [], previous: [] };

/** Maximum of concurrent requests, which limits the load of trackers by large selections. */
const AT_ONCE = 4;

/** Latest pending change of each error, by project and id. */
const pending = new Map<string, Promise<unknown>>();

/** Sends a change of errors after their pending changes have finished, so that the last request wins. */
async function inTurn<T>(project: string, ids: readonly string[], send: () => Promise<T>): Promise<T> {
  const keys = ids.map((id) => `${project}/${id}`);
  const before = keys.map((key) => pending.get(key)).filter((one) => one !== undefined);
  const change = before.length === 0 ? send() : Promise.allSettled(before).then(send);
  for (const key of keys) pending.set(key, change);
  try {
    return await change;
  } finally {
    for (const key of keys) if (pending.get(key) === change) pending.delete(key);
  }
}

/** Takes changes of errors back, after their pending changes have finished. Throws an `ApiFailure`. */
export function restoreErrors(project: string, previous: BulkResult['previous']): Promise<BulkResult> {
  const ids = previous.flatMap((state) => state.ids);
  return inTurn(project, ids, () => changeErrors(project, { action: 'restore', restore: previous }));
}

function sentOf({ previous, failed, skipped, gone }: BulkResult): Sent {
  const stored = previous.flatMap(({ now, ids }) => {
    if (now?.status === undefined) return [];
    const state = { status: now.status, status_details: now.status_details ?? null };
    return ids.map((id) => [id, state] as const);
  });
  const failures = failed.flatMap(({ ids, message }) =>
    ids.map((id) => ({ id, failure: new ApiFailure('busy', message) })),
  );
  return { previous, stored: new Map(stored), failed: failures, skipped, gone };
}

/** Awaits an answer about errors; an `ApiFailure` is one of each of them. */
async function outcomeOf(rows: readonly Row[], answer: Promise<BulkResult>): Promise<Sent> {
  try {
    return sentOf(await answer);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return { ...sentOf(NOTHING), failed: rows.map(({ id }) => ({ id, failure: error })) };
  }
}

/** Runs requests about single rows and joins what became of them. */
async function eachOf(rows: readonly Row[], run: (row: Row) => Promise<Sent>): Promise<Sent> {
  const waiting = [...rows];
  const parts: Sent[] = [];
  const worker = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) parts.push(await run(row));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, worker));
  return {
    previous: parts.flatMap(({ previous }) => previous),
    stored: new Map(parts.flatMap(({ stored }) => [...stored])),
    failed: parts.flatMap(({ failed }) => failed),
    skipped: parts.flatMap(({ skipped }) => skipped),
    gone: parts.flatMap(({ gone }) => gone),
  };
}

/** Sets the status of an error of a tracker, which does not tell the states before. */
async function sendOne(project: string, row: Row, to: StatusChange): Promise<Sent> {
  let state: State = row;
  const send = async (): Promise<BulkResult> => {
    state = await setErrorStatus(project, row.id, to.status, to.details);
    const { status, details = {} } = changeBack(row);
    const former = { status, status_details: details, now: { status: to.status }, ids: [row.id] };
    return { ...NOTHING, changed: 1, previous: [former] };
  };
  const sent = await outcomeOf([row], inTurn(project, [row.id], send));
  return { ...sent, stored: new Map([[row.id, state]]) };
}

/** Sets the status of errors: in one request where they are stored here. */
export async function sendStatus(project: string, rows: readonly Row[], to: StatusChange): Promise<Sent> {
  if (!rows.every(({ integrated }) => integrated)) return eachOf(rows, (row) => sendOne(project, row, to));
  const ids = rows.map(({ id }) => id);
  const details = to.details === undefined ? {} : { status_details: to.details };
  const send = () => changeErrors(project, { action: 'status', ids, status: to.status, ...details });
  const { gone, ...sent } = await outcomeOf(rows, inTurn(project, ids, send));
  const failure = new ApiFailure('missing', 'The error is gone: it was deleted meanwhile.', 404);
  return { ...sent, gone: [], failed: [...sent.failed, ...gone.map((id) => ({ id, failure }))] };
}

/**
 * Takes a change of errors back once it has finished. Errors that others have changed since, or that were so before the
 * change, stay as they are.
 */
export async function takeBack(project: string, rows: readonly Row[], change: Promise<Sent>): Promise<Sent> {
  const about = (some: readonly Row[]) => {
    const ids = some.map(({ id }) => id);
    const send = async (): Promise<BulkResult> => {
      const { previous } = await change;
      const mine = some.length === rows.length ? previous : previous.filter(({ ids: [id = ''] }) => ids.includes(id));
      return mine.length === 0 ? NOTHING : changeErrors(project, { action: 'restore', restore: mine });
    };
    return outcomeOf(some, inTurn(project, ids, send));
  };
  const isOurs = rows.every(({ integrated }) => integrated);
  const [sent, { previous, failed }] = await Promise.all([
    isOurs ? about(rows) : eachOf(rows, (row) => about([row])),
    change,
  ]);
  const sought = new Set([...previous.flatMap(({ ids }) => ids), ...failed.map(({ id }) => id)]);
  const untouched = rows.map(({ id }) => id).filter((id) => !sought.has(id));
  return { ...sent, skipped: [...sent.skipped, ...untouched] };
}

/** Sentences about errors that an undo left as they are; empty: none. `of`: number of errors that it was about. */
export function leftText({ skipped, gone }: Pick<Sent, 'skipped' | 'gone'>, of: number): string {
  const about = ({ length }: readonly string[], one: string, many: string) => {
    if (length === 0) return [];
    return [length === 1 ? `${of === 1 ? 'The error' : '1'} ${one}` : `${length} ${many}`];
  };
  return [
    ...about(skipped, 'was changed meanwhile and stays as it is.', 'were changed meanwhile and stay as they are.'),
    ...about(gone, 'is gone: it was deleted meanwhile.', 'are gone: they were deleted meanwhile.'),
  ].join(' ');
}
