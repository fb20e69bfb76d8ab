import { isRecord } from '../../lib/own-property.ts';
import { listOf } from '../../thirdparty/map/values.ts';
import { undoStacktrace } from './undo-frames.ts';

type Members = Record<string, unknown>;

/** Which stack: `shown`, mapped where the tracker had a source map; `sent`, as it came. */
export type StackForm = 'shown' | 'sent';

/** Exceptions or threads, as `{values: […]}`, a list or a single one. */
const ownersOf = (value: unknown): Members[] => {
  const list = isRecord(value) && 'values' in value ? value.values : value;
  return (isRecord(list) ? [list] : listOf(list)).filter(isRecord);
};

/** Exceptions or threads with their stacks undone, in their order; undefined for none. */
export function undoOwners(value: unknown, form: StackForm): { readonly values: Members[] } | undefined {
  const values = ownersOf(value).map((owner) => {
    const { stacktrace, raw_stacktrace: raw, ...members } = owner;
    const [first, second] = form === 'shown' ? [stacktrace, raw] : [raw, stacktrace];
    const undone = undoStacktrace(first) ?? undoStacktrace(second);
    return undone === undefined ? members : { ...members, stacktrace: undone };
  });
  return values.length === 0 ? undefined : { values };
}

/** True when one of them has a stack in two forms. */
export function hasTwoForms(value: unknown): boolean {
  return ownersOf(value).some(
    (owner) => undoStacktrace(owner.stacktrace) !== undefined && undoStacktrace(owner.raw_stacktrace) !== undefined,
  );
}
