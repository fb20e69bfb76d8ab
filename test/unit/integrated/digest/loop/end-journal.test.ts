import assert from 'node:assert/strict';
import { endJournal } from '../../../../../src/integrated/digest/loop/end-journal.ts';
import {
  openingManifest,
  readLastManifest,
  ManifestLog,
} from '../../../../../src/integrated/intake/journal/manifest-log.ts';
import { JOURNAL_DIR } from '../../../../support/journal-world.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

describe('end of a journal', () => {
  let disk: SimulatedDisk;
  let released: string[];
  const store = { releaseJournal: async (id: string) => void released.push(id) };
  beforeEach(() => {
    disk = new SimulatedDisk();
    released = [];
  });

  async function recorded(to: number): Promise<string> {
    const manifest = { ...openingManifest(3, 70), n: 9, hash: 'ab'.repeat(16), to };
    const log = new ManifestLog(disk, JOURNAL_DIR);
    await log.write(manifest);
    await log.close();
    return manifest.journalId;
  }

  it('releases its id; the folder continues at the same position under a new one', async () => {
    const former = await recorded(70);
    await endJournal({ files: disk, dir: JOURNAL_DIR, store });
    assert.deepEqual(released, [former]);
    const manifest = await readLastManifest(disk, JOURNAL_DIR);
    assert.deepEqual([manifest?.segment, manifest?.from, manifest?.to, manifest?.n], [3, 70, 70, 0]);
    assert.notEqual(manifest?.journalId, former);
  });

  it('does not change a journal whose last batch is not confirmed, or that never had one', async () => {
    const former = await recorded(90);
    await endJournal({ files: disk, dir: JOURNAL_DIR, store });
    assert.equal((await readLastManifest(disk, JOURNAL_DIR))?.journalId, former);
    await endJournal({ files: disk, dir: '/elsewhere', store });
    assert.deepEqual(released, []);
  });

  it('keeps its id when the store does not answer', async () => {
    const former = await recorded(70);
    const away = { releaseJournal: () => Promise.reject(new Error('away')) };
    await assert.rejects(endJournal({ files: disk, dir: JOURNAL_DIR, store: away }));
    assert.equal((await readLastManifest(disk, JOURNAL_DIR))?.journalId, former);
  });
});
