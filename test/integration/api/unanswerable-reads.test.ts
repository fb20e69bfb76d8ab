import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';

describeOnStores('reads over REST that cannot be answered', (kind) => {
  const world = restWorld(kind, 'developer');

  const get = (path: string) => world.app.get(world.base + path, world.member.token);

  describe('without error tracking', () => {
    const readable = ['/errors', '/errors/1', '/errors/1/stack_trace', '/errors/1/events', '/capabilities'];

    it('answer 404 while the Monitor feature is off', async () => {
      await world.app.store.updateProject(world.project.id, { monitorEnabled: false });
      for (const path of readable) {
        const answer = await get(path);
        assert.equal(answer.status, 404, path);
        assert.deepEqual(answer.json(), { message: '404 Not found' });
      }
    });

    it('answer 400 without settings, while inactive, and where integrated is not offered', async () => {
      const refused = async (path: string, asker: Person, prefix = world.base) => {
        const answer = await world.app.get(prefix + path, asker.token);
        assert.equal(answer.status, 400, path);
        assert.deepEqual(answer.json(), { message: 'Error Tracking is not enabled' });
      };
      const bare = await givenProject(world.app.store);
      const member = await givenMember(world.app.store, bare, 'reporter');
      for (const path of readable) await refused(path, member, `/api/v4/projects/${bare.id}/error_tracking`);
      world.app.deps.integratedOffered = false;
      for (const path of readable) await refused(path, world.member);
      world.app.deps.integratedOffered = true;
      await world.app.store.saveSettings(world.project.id, { active: false });
      for (const path of readable) await refused(path, world.member);
      const put = await world.app.ask('PUT', `${world.base}/errors/1`, {
        token: world.member.token,
        body: { status: 'resolved' },
      });
      assert.deepEqual(put.json(), { message: 'Error Tracking is not enabled' });
    });

    it('check parameters before settings', async () => {
      await world.app.store.saveSettings(world.project.id, { active: false });
      assert.match((await get('/errors?sort=age')).json().error, /^sort /);
    });
  });

  describe('when the backend fails', () => {
    const broken = async (error: Error) => {
      const plain = world.app.deps.backendFor;
      world.app.deps.backendFor = (...args) => ({ ...plain(...args), list: () => Promise.reject(error) });
      const answer = await get('/errors');
      world.app.deps.backendFor = plain;
      return answer;
    };

    it('answer 503 with Retry-After while the store is unavailable', async () => {
      const plain = await broken(new AppError('store_unavailable', 'The store does not answer.'));
      assert.equal(plain.status, 503);
      assert.deepEqual(plain.json(), { message: 'The store does not answer.' });
      assert.equal(plain.headers.get('Retry-After'), '5');
      const timed = await broken(new AppError('store_unavailable', 'Away.', { retryAfterSeconds: 30 }));
      assert.equal(timed.headers.get('Retry-After'), '30');
    });

    it('name what a tracker does not support', async () => {
      const answer = await broken(new AppError('unsupported_by_tracker', 'No sort by users.'));
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { message: 'No sort by users.', code: 'unsupported_by_tracker' });
    });

    it('hide internal errors and log them under the request id', async () => {
      world.app.log.length = 0;
      const answer = await broken(new Error('table secrets is locked'));
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.json(), { message: '500 Internal Server Error' });
      const line = world.app.log.find(({ level }) => level === 'error');
      assert.equal(line?.bindings.request_id, answer.headers.get('X-Request-Id'));
      assert.equal((line.bindings.err as Error).message, 'table secrets is locked');
      assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
    });
  });
});
