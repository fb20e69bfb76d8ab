import { textsOf, type ErrorTexts } from '../../../domain/errors/error-texts.ts';
import {
  ERROR_FIELDS,
  FIELDS,
  PLAIN_FIELDS,
  TEXT_FIELDS,
  type Fields,
  type PlainField,
} from '../../errors/error-fields.ts';
import type { StoredError, StoredOccurrence } from '../../errors/stored-error.ts';
import { hexBinary } from './document-keys.ts';
import type { ErrorDocument, FirstSeen, LastSeen } from './error-documents.ts';

type RootOf<M extends string> = M extends `${infer R}.${string}` ? R : M;
type MarkMember = {
  [F in keyof Fields]: Fields[F]['kind'] extends 'mark' ? RootOf<Fields[F]['member']> : never;
}[keyof Fields];
/** Plain field with a member of its own, not one of `last`. */
type OwnField = { [F in PlainField]: Fields[F]['member'] extends keyof ErrorDocument ? F : never }[PlainField];

const rootOf = (member: string): string => member.replace(/\..*$/, '');

/** Members of the marks of an error, in its document and in the displayed row of a merged one. */
export const MARK_MEMBERS = projection(
  FIELDS.flatMap(([, { kind, member }]) => (kind === 'mark' ? [rootOf(member)] : [])),
) as Readonly<Record<MarkMember, 1>>;

/** Members of lists and details, without those of the marks. */
export const SHOWN_MEMBERS = projection(
  FIELDS.flatMap(([, { kind, member, shown }]) => (shown && kind !== 'mark' ? [member] : [])),
);

const OWN_FIELDS = PLAIN_FIELDS.filter((name) => !ERROR_FIELDS[name].member.includes('.')) as OwnField[];

/** Returns a projection that includes the members. */
export function projection(members: readonly string[]): Readonly<Record<string, 1>> {
  return Object.fromEntries(members.map((member) => [member, 1]));
}

type PlainMembers = Pick<ErrorDocument, Fields[OwnField]['member']>;

/** Returns the members of an error whose value is stored as it is, apart from its texts. */
export function plainMembers(error: Pick<StoredError, OwnField>): PlainMembers {
  const present = OWN_FIELDS.filter((name) => !('absent' in ERROR_FIELDS[name]) || error[name] !== null);
  // The table of fields types the members.
  return Object.fromEntries(present.map((name) => [ERROR_FIELDS[name].member, error[name]])) as unknown as PlainMembers;
}

/** Returns the stored form of an occurrence. `$min` and `$max` compare members in this order. */
export function firstSeen({ at, eventId, release }: StoredOccurrence): FirstSeen {
  return { at, id: hexBinary(eventId), release };
}

/** Returns the stored form of a last occurrence; `q` is the text of searches. */
export function lastSeen(last: StoredOccurrence & ErrorTexts, q: string): LastSeen {
  return { ...firstSeen(last), ...textsOf(last), q };
}

/** Returns the texts of a last occurrence; null for one that an earlier version did not store. */
export function textsIn(last: ErrorTexts): ErrorTexts {
  return Object.fromEntries(TEXT_FIELDS.map((name) => [name, last[name] ?? null])) as unknown as ErrorTexts;
}
