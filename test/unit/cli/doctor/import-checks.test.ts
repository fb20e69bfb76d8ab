import assert from 'node:assert/strict';
import { checkImports } from '../../../../src/cli/doctor/import-checks.ts';
import { markRunning } from '../../../../src/import/linked/saved-progress.ts';
import { type RunState, runKey } from '../../../../src/import/state/run-state.ts';
import { makeLocalSqlite, type StoreHarness } from '../../../support/store-harness.ts';

const URL_THERE = 'https://old.example';

describe('doctor: imports', () => {
  let harness: StoreHarness;
  beforeEach(async () => {
    harness = await makeLocalSqlite();
  });
  afterEach(() => harness.dispose());

  const save = async (organization: string, given: Partial<RunState>): Promise<string> => {
    const key = runKey(URL_THERE, organization);
    const run: RunState = {
      ...{ version: 1, kind: 'sentry', url: URL_THERE, organization, startedAt: 0, updatedAt: 0 },
      ...{ state: 'running', message: '', leftOut: { items: [], more: 0 }, projects: {} },
      ...given,
    };
    await harness.store.saveImportState(key, JSON.stringify(run));
    return key;
  };
  const check = () => checkImports(harness.store, 'probe');

  it('has nothing to say where there are none', async () => {
    assert.equal(await check(), null);
  });

  it('is content with imports that have ended, run now, or are continued by gateways', async () => {
    await save('ended', { state: 'done' });
    await harness.store.acquireLease(await save('running', {}), 'other', 60_000);
    await save('linked', { projects: { shop: 7 } });
    await markRunning(harness.store, 7, true);
    assert.equal((await check())?.status, 'ok');
  });

  it('names those that were interrupted, and leaves their leases free', async () => {
    const key = await save('acme', {});
    const found = await check();
    assert.equal(found?.status, 'warn');
    assert.match(found.message, /^an import was interrupted\nacme from https:\/\/old\.example, 1970-01-01/);
    assert.match(found.advice ?? '', /run the same command again/);
    assert.equal(await harness.store.acquireLease(key, 'other', 1000), true);
  });
});
