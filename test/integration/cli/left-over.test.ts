import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { JournalRecord } from '../../../src/integrated/intake/journal-record.ts';
import { Journal } from '../../../src/integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from '../../../src/integrated/intake/journal/node-files.ts';
import { encodeRecord, FRAME_HEADER_BYTES } from '../../../src/integrated/intake/journal/record-frame.ts';
import { quarantineName, writeQuarantine } from '../../../src/integrated/quarantine/quarantine-file.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { type CliSandbox, columns, useCliSandbox } from '../../support/cli-sandbox.ts';
import { errorOf, makeEvent, TestJournal } from '../../support/store-data.ts';

const RECEIVED_AT = Date.parse('2026-11-21T10:00:00Z');

function eventRecord(eventId: string, more: object = {}): JournalRecord {
  return {
    projectId: 1,
    keyId: 1,
    receivedAt: RECEIVED_AT,
    eventId,
    sentAt: null,
    clientIp: null,
    client: null,
    outcomes: [],
    body: Buffer.from(JSON.stringify({ message: 'left behind', ...more })),
  };
}

/** As a service leaves it that was killed before it could digest. */
async function leaveJournal(dataDir: string, records: readonly JournalRecord[]): Promise<void> {
  const journal = await Journal.open({
    files: nodeJournalFiles,
    dir: join(dataDir, 'journal'),
    clock: { now: () => RECEIVED_AT },
    logger: { info: () => undefined, warn: () => undefined },
    durability: 'power-loss',
    segmentBytes: 1 << 20,
    maxBytes: 1 << 24,
  });
  await journal.append(records);
  await journal.close();
}

async function setAside(dataDir: string, offset: number, content: Buffer): Promise<void> {
  const header = {
    reason: 'digest_failed' as const,
    error: 'TypeError',
    quarantinedAt: RECEIVED_AT + offset,
    projectId: 1,
    eventId: null,
    receivedAt: RECEIVED_AT,
  };
  const name = quarantineName('ab'.repeat(16), offset);
  await writeQuarantine(nodeJournalFiles, join(dataDir, 'quarantine'), name, header, content);
}

async function storedEvents(errgate: CliSandbox): Promise<string> {
  const { checks } = (await errgate.object('doctor')) as { checks?: { check: string; message: string }[] };
  return checks?.find(({ check }) => check === 'store')?.message ?? '';
}

describe('errgate journal drain and quarantine', () => {
  const sandbox = useCliSandbox();
  const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32));

  it('drains the journal of a stopped service into its own store, once', async () => {
    const errgate = sandbox.current;
    const gone = join(errgate.folder, 'gone');
    await errgate.done('project', 'create', 'acme/shop');
    await leaveJournal(
      gone,
      ids.map((id) => eventRecord(id)),
    );
    assert.deepEqual(await errgate.object('journal', 'drain', gone), { records: 3, stored: 3, duplicates: 0 });
    assert.deepEqual(await errgate.object('journal', 'drain', '--dir', gone), { records: 0, stored: 0, duplicates: 0 });
    assert.match(await storedEvents(errgate), /1 error, 3 events/);
    await errgate.fails(1, /holds no journal/, 'journal', 'drain', join(errgate.folder, 'none'));
    await errgate.fails(2, /missing required argument 'dir'/, 'journal', 'drain');
  });

  it('both resolve errors in a release that names the commit they wait for', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const commits = { drained: 'f00dbabe', replayed: 'beefcafe' };
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.dataDir });
    const project = (await store.projectByPath('acme/shop'))?.project ?? assert.fail();
    const groups = Object.entries(commits);
    await new TestJournal(store).apply(
      groups.map(([group]) => makeEvent(project, group, { group, at: RECEIVED_AT - 2 })),
    );
    for (const [group, commit] of groups) {
      const details = { inCommit: { commit, repository: null } };
      const { id } = await errorOf(store, project, group);
      await store.setErrorStatus(project.id, id, 'resolved', RECEIVED_AT - 1, { details });
    }
    await store.close();
    const releaseOf = (commit: string) => ({ release: `app@2.0.0+${commit}` });
    const gone = join(errgate.folder, 'gone');
    await leaveJournal(gone, [eventRecord('a'.repeat(32), releaseOf(commits.drained))]);
    await errgate.done('journal', 'drain', gone);
    const record = eventRecord('b'.repeat(32), releaseOf(commits.replayed));
    await setAside(errgate.dataDir, 1, Buffer.concat(encodeRecord(record)).subarray(FRAME_HEADER_BYTES));
    await errgate.done('quarantine', 'replay');
    const after = await openStore({ url: 'sqlite:', dataDir: errgate.dataDir });
    try {
      for (const [group, commit] of groups) {
        const { statusDetails } = await errorOf(after, project, group);
        assert.equal(statusDetails?.inRelease, `app@2.0.0+${commit}`, group);
      }
    } finally {
      await after.close();
    }
  });

  it('reports a journal that waits for a service', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    await leaveJournal(errgate.dataDir, [{ ...eventRecord('a'.repeat(32)), receivedAt: Date.now() - 3_600_000 }]);
    const report = await errgate.done('doctor');
    assert.match(report, /^warn {2}journal .*oldest record 60 min old: waits for the service/m);
  });

  it('lists quarantined records, and replays those that can be digested now', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const payload = Buffer.concat(encodeRecord(eventRecord('a'.repeat(32)))).subarray(FRAME_HEADER_BYTES);
    await setAside(errgate.dataDir, 1, payload);
    await setAside(errgate.dataDir, 2, Buffer.from('no record at all'));
    const listed = await errgate.list('quarantine', 'list');
    assert.deepEqual(columns(listed, 'reason', 'error', 'quarantined_at', 'project_id', 'bytes'), [
      ['digest_failed', 'TypeError', '2026-11-21T10:00:00Z', 1, payload.length],
      ['digest_failed', 'TypeError', '2026-11-21T10:00:00Z', 1, 16],
    ]);
    assert.match(await errgate.done('doctor'), /^warn {2}quarantine +2 records/m);

    const { code, stdout, stderr } = await errgate.run('quarantine', 'replay', '--json');
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(stdout), { replayed: 1, duplicates: 0, failed: 1, damaged: 0 });
    assert.match(stderr, /1 record still cannot be digested/);
    assert.equal((await errgate.list('quarantine', 'list')).length, 1);
    assert.match(await storedEvents(errgate), /1 error, 1 event,/);
  });
});
