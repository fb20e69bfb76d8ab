import assert from 'node:assert/strict';
import type { EventException } from '../../src/domain/events/event.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import type { ErrorQuery } from '../../src/domain/search/error-query.ts';
import { hashOfIdentity } from '../../src/lib/user-hash.ts';
import { encodePayload } from './encode-payload.ts';
import { exception, frame } from './factories.ts';
import { errorOf, hexId, listAll, makeEvent, makeProject, normalisedEvent, TestJournal } from './store-data.ts';

export type Wanted = SearchCondition extends infer C ? (C extends SearchCondition ? Omit<C, 'not'> : never) : never;

interface Spec {
  readonly tags?: readonly (readonly [string, string])[];
  readonly exceptions?: readonly EventException[];
  /** Identity of the user: `id:7`; and its other names. */
  readonly user?: string;
  readonly names?: readonly string[];
  readonly more?: Parameters<typeof makeEvent>[2];
}

export const raised = (handled: boolean | null, ...frames: readonly Parameters<typeof frame>[0][]): EventException =>
  exception({
    frames: frames.map((each) => frame(each)),
    mechanism: {
      ...{ type: 'generic', handled, synthetic: false, exception_id: null, parent_id: null },
      ...{ is_exception_group: false, source: null, description: null, data: null },
    },
  });

/** Stores events in a project of its own, and asks for conditions. */
export async function conditionWorld(store: Store) {
  const salt = await store.initMeta('user_salt', 'salt of this test');
  const project = await makeProject(store);
  const journal = new TestJournal(store);
  let serial = 0;
  const eventOf = (group: string, at: number, { tags = [], exceptions = [], user, names, more }: Spec) => {
    serial += 1;
    const eventId = hexId(`${project.id} ${serial}`);
    const event = makeEvent(project, String(serial), {
      ...{ group, at, eventId, tags },
      payload: encodePayload({ ...normalisedEvent(eventId), exceptions: [...exceptions] }),
      ...more,
    });
    const userHash = user === undefined ? null : hashOfIdentity(salt, project.id, user);
    return { ...event, userHash, ...(names === undefined ? {} : { userNames: names }) };
  };
  const happen = (group: string, at: number, spec: Spec = {}) => journal.apply([eventOf(group, at, spec)]);
  /** Stores one event in each group, all in one batch. */
  const happenInAll = (groups: readonly string[], at: number, spec: Spec = {}) =>
    journal.apply(groups.map((group) => eventOf(group, at, spec)));
  const found = async (conditions: readonly SearchCondition[], query: Partial<ErrorQuery> = {}) =>
    (await listAll(store, project, { conditions, ...query }))
      .map(({ message }) => message?.split(' ').at(-1))
      .sort()
      .join('');
  /** Requires that a condition finds exactly these of all errors, and its negation the others. */
  const finds = async (wanted: Wanted, expected: string, everything: string) => {
    const [condition, negated] = [
      { not: false, ...wanted },
      { not: true, ...wanted },
    ] as SearchCondition[];
    assert.ok(condition !== undefined && negated !== undefined);
    assert.equal(await found([condition]), expected, JSON.stringify(wanted));
    const others = everything.replaceAll(new RegExp(`[-${expected}]`, 'g'), '');
    assert.equal(await found([negated]), others, `not ${JSON.stringify(wanted)}`);
  };
  const idOf = async (group: string) => (await errorOf(store, project, group)).id;
  return { store, project, happen, happenInAll, found, finds, idOf };
}
