import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { HookWorld } from '../../support/hook-world.ts';
import { signedHeaders } from '../../support/issue-events.ts';
import { linkWorlds, refusal } from '../../support/link-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('webhooks of GitLab issues, while something fails,', (kind) => {
  const world = linkWorlds(kind);
  let h: HookWorld;
  beforeEach(async () => {
    h = await HookWorld.open(world());
  });

  it('forget a change that could not be made, so that the same request may come again', async () => {
    const { app } = h.w;
    const at = app.clock.at + 1000;
    const { store } = app;
    const setErrorStatuses = store.setErrorStatuses.bind(store);
    store.setErrorStatuses = () => Promise.reject(new Error('lost'));
    try {
      assert.equal((await h.send({ at }, { id: 'again' })).status, 500);
    } finally {
      store.setErrorStatuses = setErrorStatuses;
    }
    assert.equal((await h.send({ at }, { id: 'again' })).json().changed, 1);
  });

  it('may come again after the store went away in the middle of a change', async () => {
    const { app } = h.w;
    const at = app.clock.at + 1000;
    const { store } = app;
    const [setErrorStatuses, moveSeenIssue] = [store.setErrorStatuses.bind(store), store.moveSeenIssue.bind(store)];
    const away = () => Promise.reject(new AppError('store_unavailable', 'the store is away'));
    store.setErrorStatuses = () => {
      store.moveSeenIssue = away;
      return away();
    };
    try {
      assert.equal((await h.send({ at }, { id: 'again' })).status, 503);
    } finally {
      Object.assign(store, { setErrorStatuses, moveSeenIssue });
    }
    assert.equal((await h.send({ at }, { id: 'again' })).json().changed, 1);
    assert.equal(await h.status(), 'resolved');
  });

  it('leave the state of a newer change that came while an older one was made', async () => {
    const { app } = h.w;
    const at = app.clock.at + 1000;
    const { store } = app;
    const setErrorStatuses = store.setErrorStatuses.bind(store);
    store.setErrorStatuses = async (...given) => {
      store.setErrorStatuses = setErrorStatuses;
      assert.equal((await h.send({ at: at + 1, action: 'reopen' })).status, 200);
      return setErrorStatuses(...given);
    };
    assert.match(await refusal(h.send({ at }), 409), /newer change/);
    assert.equal(await h.status(), 'unresolved');
  });

  it('are refused alike with and without a webhook, also when they are too large', async () => {
    const { app, project } = h.w;
    const long = 'x'.repeat(2 * 1024 * 1024 + 1);
    const headers = signedHeaders(long, h.secret, 'long', Math.floor(app.clock.at / 1000));
    const unknown = `/api/v4/projects/${project.id + 999}/error_tracking`;
    const [known, none] = await Promise.all([h.post(long, headers), h.post(long, headers, unknown)]);
    assert.deepEqual([known.status, none.status], [413, 413]);
    assert.equal(known.text, none.text);
  });
});
