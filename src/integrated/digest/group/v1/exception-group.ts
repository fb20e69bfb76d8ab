import type { EventException } from '../../../../domain/events/event.ts';

interface Tree {
  readonly root: EventException;
  /** Children by parent id, in the order of the list: oldest cause first. */
  readonly children: ReadonlyMap<number, readonly EventException[]>;
}

/** Exceptions that contribute to the key, in order, and the exception that titles are made from. */
export interface SelectedExceptions {
  readonly exceptions: readonly EventException[];
  readonly main: EventException | null;
}

/**
 * Selects the exceptions that contribute to the key. Without exception groups that is the whole chain. In a group the
 * exceptions inside it count, in any order and number of repeats. One distinct exception counts alone with its causes;
 * several count together with the root.
 *
 * `component` returns the grouping text of one exception; equal texts are repeats of one exception.
 */
export function selectExceptions(
  exceptions: readonly EventException[],
  component: (exception: EventException) => string,
): SelectedExceptions {
  const last = exceptions.at(-1) ?? null;
  const grouped = exceptions.length > 1 && exceptions.some((exception) => exception.mechanism?.is_exception_group);
  const tree = grouped ? buildTree(exceptions) : null;
  if (tree === null) return { exceptions, main: last };
  const distinct = new Map<string, EventException>();
  for (const exception of membersOf(tree)) {
    const text = component(exception);
    if (text !== '' && !distinct.has(text)) distinct.set(text, exception);
  }
  const [only] = distinct.values();
  if (only === undefined) return { exceptions, main: last };
  if (distinct.size === 1) return { exceptions: chainOf(only, tree, exceptions), main: only };
  const sorted = [...distinct].sort(
    ([textA, a], [textB, b]) => compare(a.type ?? '', b.type ?? '') || compare(textA, textB),
  );
  return { exceptions: [...sorted.map(([, exception]) => exception), tree.root], main: tree.root };
}

/** Builds the tree. Returns null when an id is missing, duplicate or its own parent, or when there is no root. */
function buildTree(exceptions: readonly EventException[]): Tree | null {
  const byId = new Map<number, EventException>();
  const children = new Map<number, EventException[]>();
  for (const exception of exceptions) {
    const id = exception.mechanism?.exception_id ?? null;
    if (id === null || byId.has(id)) return null;
    byId.set(id, exception);
    const parent = exception.mechanism?.parent_id ?? null;
    if (parent === id) return null;
    if (parent === null || id === 0) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [exception]);
    else siblings.push(exception);
  }
  const root = byId.get(0);
  return root === undefined ? null : { root, children };
}

/** Returns the exceptions directly inside groups, starting at the root, that are no groups themselves. */
function membersOf(tree: Tree): EventException[] {
  const members: EventException[] = [];
  const waiting = [tree.root];
  for (let exception = waiting.pop(); exception !== undefined; exception = waiting.pop()) {
    // Ids are unique and the root has no parent, so no exception is visited twice.
    if (exception.mechanism?.is_exception_group) waiting.push(...childrenOf(exception, tree));
    else members.push(exception);
  }
  return members;
}

/** Returns `start` and its causes along the first child, in the order of the event's list. */
function chainOf(start: EventException, tree: Tree, exceptions: readonly EventException[]): EventException[] {
  const chain = new Set<EventException>();
  for (let next: EventException | undefined = start; next !== undefined; next = firstChild(next, tree)) chain.add(next);
  return exceptions.filter((exception) => chain.has(exception));
}

/** Returns the first child. SDKs number children in order and list the newest, which has the lowest number, last. */
function firstChild(exception: EventException, tree: Tree): EventException | undefined {
  return childrenOf(exception, tree).at(-1);
}

function childrenOf(exception: EventException, tree: Tree): readonly EventException[] {
  const id = exception.mechanism?.exception_id ?? null;
  return id === null ? [] : (tree.children.get(id) ?? []);
}

/** Compares by code unit, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
