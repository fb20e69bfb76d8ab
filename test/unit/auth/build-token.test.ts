import assert from 'node:assert/strict';
import { createBuildToken } from '../../../src/auth/build-token.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('token of builds', (kind) => {
  async function factsFor(url: string): Promise<unknown> {
    const opened = await kind.open();
    const { store } = opened;
    try {
      const project = await store.createProject({ path: 'demo/shop', name: 'shop', visibility: 'private' });
      const user = await store.createUser({ username: 'ada', name: 'Ada', passwordHash: 'none', admin: true });
      const given = { userId: user.id, name: 'ci', expiresAt: null, projects: [project], url };
      const { text } = await createBuildToken(store, given, 1_700_000_000_000);
      return JSON.parse(Buffer.from(text.split('_')[1] ?? '', 'base64').toString());
    } finally {
      await opened.dispose();
    }
  }

  it('tells tools the group and the address', async () => {
    const url = 'https://errors.example.test';
    assert.deepEqual(await factsFor(url), { iat: 1_700_000_000, url, region_url: url, org: 'demo' });
  });

  it('tells no address below a path, which sentry-cli would prefer and refuse', async () => {
    const facts = { iat: 1_700_000_000, url: null, region_url: null, org: 'demo' };
    assert.deepEqual(await factsFor('https://example.test/errgate'), facts);
  });
});
