import assert from 'node:assert/strict';
import { activationProblems, servedByIntegrated } from '../../../../src/domain/projects/settings-rules.ts';

const BASE = 'https://tracker.example';
const linked = {
  active: true,
  integrated: false,
  apiUrl: `${BASE}/api/0/projects/acme/app/`,
  sealedToken: 'encrypted',
};

describe('rules for activating settings', () => {
  it('bind only active settings with an external tracker', () => {
    const bare = { apiUrl: null, sealedToken: null };
    assert.deepEqual(activationProblems({ ...bare, active: false, integrated: false }), []);
    assert.deepEqual(activationProblems({ ...bare, active: true, integrated: true }), []);
    assert.deepEqual(activationProblems({ ...bare, active: true, integrated: false }), [
      'Api url is a required field',
      'Token is a required field',
    ]);
  });

  it('want a token and an address with a project', () => {
    assert.deepEqual(activationProblems(linked), []);
    assert.deepEqual(activationProblems({ ...linked, sealedToken: null }), ['Token is a required field']);
    const at = (apiUrl: string) => activationProblems({ ...linked, apiUrl });
    assert.deepEqual(at(`${BASE}/api/0/projects/`), ['Project is a required field']);
    assert.deepEqual(at(`${BASE}/api/0/projects/acme/app`), []);
    assert.deepEqual(at(`${BASE}/errors/tracker/api/0/projects/acme/app/`), []);
    for (const wrong of [`${BASE}/`, `${BASE}/api/0/projects/acme`, `${BASE}/api/0/projects/a/b/c/`, 'no url']) {
      assert.deepEqual(at(wrong), ['Api url is invalid'], wrong);
    }
  });
});

describe('the backend of a project', () => {
  it('is the integrated backend only where it is offered', () => {
    assert.equal(servedByIntegrated({ integrated: true }, true), true);
    assert.equal(servedByIntegrated({ integrated: true }, false), false);
    assert.equal(servedByIntegrated({ integrated: false }, true), false);
  });
});
