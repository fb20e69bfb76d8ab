import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../../../src/domain/ingest/digest.ts';
import { Continuations } from '../../../../../src/storage/mongo/batch/continuations.ts';
import { KnownRows } from '../../../../../src/storage/mongo/batch/known/known-rows.ts';
import { underKnownGroupHashes } from '../../../../../src/storage/mongo/batch/known/known-group-hashes.ts';
import { prepareEvents } from '../../../../../src/storage/mongo/batch/prepared-events.ts';
import { errorKey, hexBinary } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import type { Doc } from '../../../../../src/storage/mongo/engine/batch-collections.ts';
import { binaryHex } from '../../../../support/mongo-sim-records.ts';
import { keyOf, SimDatabase } from '../../../../support/mongo-sim.ts';
import { hexId, makeEvent, NOON } from '../../../../support/store-data.ts';

const PROJECT = 7;
const [OWN, FIRST, SECOND] = ['own', 'first', 'second'].map((name) => hexId(name)) as [string, string, string];
const project = { id: PROJECT } as Parameters<typeof makeEvent>[0];

function mapped(name: string, sent: string, groupHash = OWN): DigestedEvent {
  const sentGroupHashes = [{ groupHash: sent, groupingVersion: 1 }];
  return { ...makeEvent(project, name), groupHash, groupingVersion: 2, sentGroupHashes };
}

/** Row by which events of a group hash alone go on with the first error. */
function continuedBy(mappedHash: string): Doc {
  return { _id: `${PROJECT}/${FIRST}`, projectId: PROJECT, groupHash: FIRST, mappedHash };
}

/** Database with two errors that builds began before their maps. `turn`: called before each operation. */
function databaseWithTwo(turn: (db: SimDatabase) => void = () => undefined) {
  const db = new SimDatabase();
  const asked: string[] = [];
  const put = (name: string, row: Doc) => db.of(name).set(keyOf(row), row);
  put('projects', { _id: PROJECT });
  for (const [index, groupHash] of [FIRST, SECOND].entries()) {
    put('errors', { _id: errorKey(PROJECT, groupHash), p: PROJECT, id: index + 1, v: 1 });
  }
  const connected = db.connect(
    {
      drawResult: (write) => {
        asked.push(write ? 'write' : 'read');
        return 'ok';
      },
      turn: async () => turn(db),
      random: () => 0,
      poison: new Set(),
    },
    () => undefined,
  );
  const projects = new Map([[PROJECT, { imports: false, aliases: false, marks: false, deletions: 0 }]]);
  const knownErrors = new KnownRows();
  const count = async (...events: DigestedEvent[]) => {
    const continuations = new Continuations(connected);
    const options = { collections: connected, continuations, projects, knownErrors, now: NOON };
    const counted = await underKnownGroupHashes(prepareEvents(events), options);
    return counted.map(({ event, document }) => {
      assert.equal(binaryHex(document.l), event.groupHash);
      return event.groupHash;
    });
  };
  return { db, asked, knownErrors, count };
}

function aliasTo(groupHash: string): Doc {
  return { _id: errorKey(PROJECT, OWN), p: PROJECT, l: hexBinary(groupHash), lv: 1, v: 2, o: 'mapped', end: null };
}

describe('group hashes of a batch on MongoDB', () => {
  it('lead to the error that another gateway has chosen between the look-up and the write', async () => {
    let operations = 0;
    const { count } = databaseWithTwo((db) => {
      operations += 1;
      // Behind the look-up of errors and aliases, the row of the continuation, and the mark of the project.
      if (operations === 5) db.of('groupAliases').set(keyOf(aliasTo(SECOND)), aliasTo(SECOND));
    });
    assert.deepEqual(await count(mapped('a', FIRST)), [SECOND]);
  });

  it('are their own where another gateway has led other ones on between the look-up and the write', async () => {
    const other = hexId('another original');
    let operations = 0;
    const { db, count } = databaseWithTwo((of) => {
      operations += 1;
      // Behind the look-up of errors and aliases.
      if (operations === 3) of.of('continuations').set(`${PROJECT}/${FIRST}`, continuedBy(other));
    });
    assert.deepEqual(await count(mapped('a', FIRST), mapped('b', FIRST, other)), [OWN, FIRST]);
    assert.deepEqual(db.of('continuations').get(`${PROJECT}/${FIRST}`), continuedBy(other));
    assert.equal(db.of('groupAliases').size, 1);
  });

  it('lead on with what was sent for the first of a batch alone', async () => {
    const { db, count } = databaseWithTwo();
    const other = hexId('another original');
    const events = [mapped('a', FIRST), mapped('b', FIRST, other), mapped('c', FIRST), mapped('d', SECOND, other)];
    assert.deepEqual(await count(...events), [FIRST, SECOND, FIRST, SECOND]);
    assert.deepEqual(await count(mapped('e', FIRST, hexId('a third'))), [hexId('a third')]);
    assert.deepEqual(db.of('continuations').get(`${PROJECT}/${FIRST}`), continuedBy(OWN));
  });

  it('stay where their sent form leads when a person has ended the alias', async () => {
    const { db, count } = databaseWithTwo();
    const ended = { ...aliasTo(SECOND), end: NOON };
    db.of('groupAliases').set(keyOf(ended), ended);
    assert.deepEqual(await count(mapped('a', FIRST)), [FIRST]);
    assert.deepEqual(db.of('groupAliases').get(keyOf(ended)), ended);
  });

  it('follow an alias for all of a batch, also before the event that leaves it', async () => {
    const { db, count } = databaseWithTwo();
    assert.deepEqual(await count(mapped('a', hexId('unknown')), mapped('b', SECOND)), [SECOND, SECOND]);
    assert.equal(db.of('projects').get(String(PROJECT))?.aliases, true);
  });

  it('are not looked up for events that were not mapped, and for mapped ones with a known error', async () => {
    const { asked, knownErrors, count } = databaseWithTwo();
    knownErrors.add(OWN);
    const plain = makeEvent(project, 'plain');
    assert.deepEqual(await count(plain, mapped('a', FIRST)), [plain.groupHash, OWN]);
    assert.deepEqual(asked, []);
  });
});
