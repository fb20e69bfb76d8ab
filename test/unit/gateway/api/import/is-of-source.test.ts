import assert from 'node:assert/strict';
import { formerLinkIn } from '../../../../../src/domain/imports/former-link.ts';
import type { ImportSource } from '../../../../../src/domain/imports/import.ts';
import { isOfSource } from '../../../../../src/gateway/api/import/former-links.ts';

const source = (given: Partial<ImportSource>): ImportSource => ({
  ...{ id: 1, projectId: 1, kind: 'glitchtip', url: 'https://old.example/sub', organization: 'acme', project: 'shop' },
  ...{ externalProjectId: '7', createdAt: 0, bothReceiveUntil: null },
  ...given,
});

describe('addresses of a former tracker', () => {
  it('name the organization, or with the links of the API of GlitchTip the project alone', () => {
    const names = (path: string): readonly string[] => formerLinkIn(path)?.names ?? ['none'];
    for (const path of ['/sub/shop/issues/4711', '/sub/acme/issues/4711', '/shop/issues/4711']) {
      assert.equal(isOfSource(source({}), names(path)), true, path);
    }
    assert.equal(isOfSource(source({}), names('/sub/other/issues/4711')), false);
    assert.equal(isOfSource(source({ kind: 'sentry' }), names('/sub/shop/issues/4711')), false);
  });
});
