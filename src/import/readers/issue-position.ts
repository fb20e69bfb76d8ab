/** Place of a pass through a project's issues. */
export interface IssuePosition {
  /** `project`: the list of the project. `windows`: the list of the organization, in windows of time. */
  readonly route: 'project' | 'windows';
  /** Passes done, or windows read. */
  readonly round: number;
  /** Windows without issues in a row. */
  readonly empty: number;
  /** Time at which the pass began, by the tracker's clock; milliseconds. Windows count from it. */
  readonly began: number;
  /** Cursor of the tracker; null: first page. */
  readonly cursor: string | null;
}

export const START: IssuePosition = { route: 'project', round: 0, empty: 0, began: 0, cursor: null };

export function writePosition({ route, round, empty, began, cursor }: IssuePosition): string {
  return Buffer.from(JSON.stringify([route, round, empty, began, cursor])).toString('base64url');
}

/** Reads what `writePosition` wrote; the start for null and for other texts, because a pass may always begin again. */
export function readPosition(text: string | null): IssuePosition {
  if (text === null) return START;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return START;
  }
  if (!Array.isArray(parts)) return START;
  const [route, round, empty, began, cursor] = parts as unknown[];
  const numbers = [round, empty, began].every((part) => Number.isSafeInteger(part) && Number(part) >= 0);
  const known = route === 'project' || route === 'windows';
  if (!known || !numbers || (cursor !== null && typeof cursor !== 'string')) return START;
  return { route, round: Number(round), empty: Number(empty), began: Number(began), cursor };
}
