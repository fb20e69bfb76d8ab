import assert from 'node:assert/strict';
import { matchingProjects, switchTarget } from '../../../ui/src/app/switch-target.ts';

describe('switching projects', () => {
  const owned = { maintains: true, integrated: true };

  it('stays on the page where the other project has it', () => {
    for (const route of ['errors', 'setup', 'members', 'settings', 'alerts', 'outcomes', 'releases', 'user-reports']) {
      assert.equal(switchTarget(route, owned), route);
    }
  });

  it('leads to the list from one error, and where the page is not there or not for this person', () => {
    assert.equal(switchTarget('error', owned), 'errors');
    assert.equal(switchTarget('settings', { ...owned, maintains: false }), 'errors');
    assert.equal(switchTarget('outcomes', { ...owned, maintains: false }), 'errors');
    assert.equal(switchTarget('alerts', { ...owned, maintains: false }), 'errors');
    assert.equal(switchTarget('releases', { ...owned, integrated: false }), 'errors');
    assert.equal(switchTarget('user-reports', { ...owned, integrated: false }), 'errors');
    assert.equal(switchTarget(undefined, owned), 'errors');
  });

  it('finds projects by any words of their names and paths', () => {
    const named = (name: string, path: string) => ({
      project: { id: 1, name, path_with_namespace: path, visibility: 'private' as const, web_url: '' },
    });
    const all = [named('Web shop', 'acme/shop'), named('Billing', 'acme/billing'), named('Other', 'beta/other')];
    const found = (search: string) => matchingProjects(all, search).map(({ project }) => project.path_with_namespace);
    assert.deepEqual(found(''), ['acme/billing', 'acme/shop', 'beta/other']);
    assert.deepEqual(found('SHOP acme'), ['acme/shop']);
    assert.deepEqual(found('web'), ['acme/shop']);
    assert.deepEqual(found('nothing'), []);
  });
});
