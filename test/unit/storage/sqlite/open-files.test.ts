import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openWriterStore } from '../../../../src/storage/open/open-store.ts';
import { eventually } from '../../../support/service-process.ts';

describe('a closed embedded store', () => {
  it('leaves no file open once its statements are collected', async function () {
    if (process.platform !== 'linux') this.skip();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const dir = mkdtempSync(join(tmpdir(), 'errgate-open-files-'));
    const openFiles = async (): Promise<string[]> => {
      collect();
      return readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          const file = readlinkSync(`/proc/self/fd/${fd}`);
          return file.startsWith(dir) ? [file] : [];
        } catch {
          // The descriptor of the list itself is closed by now.
          return [];
        }
      });
    };
    const { store } = await openWriterStore({ url: 'sqlite:', dataDir: dir });
    await store.createProject({ path: 'a/b', name: 'b', visibility: 'private' });
    assert.notEqual((await openFiles()).length, 0);
    await store.close();
    await eventually(openFiles, (files) => files.length === 0);
    // Still in use here, as by a service that ended within its process.
    await assert.rejects(store.projectById(1), { code: 'store_unavailable' });
    rmSync(dir, { recursive: true });
  });
});
