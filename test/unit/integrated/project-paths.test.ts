import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { projectPaths } from '../../../src/integrated/project-paths.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store of one project, whose path the test changes, and the count of its answers. */
function storeOf(path: string) {
  const state = { path, asked: 0, away: false };
  const listProjects = async () => {
    state.asked += 1;
    if (state.away) throw new Error('away');
    return [{ id: 7, path: state.path }];
  };
  return { state, store: { listProjects } as unknown as Parameters<typeof projectPaths>[1] };
}

describe('projectPaths', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('follows the store, keeps what it knew while the store is away, and asks no more after the end', async () => {
    const { state, store } = storeOf('group/old');
    const paths = await projectPaths({ 'group/*': {} }, store);
    assert.deepEqual([paths.of(7), paths.of(8)], ['group/old', null]);
    state.away = true;
    mock.timers.tick(1000);
    await settle();
    assert.equal(paths.of(7), 'group/old');
    Object.assign(state, { away: false, path: 'group/new' });
    mock.timers.tick(1000);
    await settle();
    assert.equal(paths.of(7), 'group/new');
    paths.stop();
    mock.timers.tick(60_000);
    await settle();
    assert.equal(state.asked, 3);
  });

  it('throws when the store is away, unless the paths may come late', async () => {
    const { state, store } = storeOf('group/one');
    state.away = true;
    await assert.rejects(projectPaths({ 'group/*': {} }, store), /away/);
    const late = await projectPaths({ 'group/*': {} }, store, 'late');
    assert.equal(late.of(7), null);
    state.away = false;
    await settle();
    mock.timers.tick(1000);
    await settle();
    assert.equal(late.of(7), 'group/one');
    late.stop();
  });

  it('does not ask where nothing is configured by path', async () => {
    const { state, store } = storeOf('group/one');
    const paths = await projectPaths({}, store);
    mock.timers.tick(60_000);
    await settle();
    assert.deepEqual([paths.of(7), state.asked], [null, 0]);
    paths.stop();
  });
});
