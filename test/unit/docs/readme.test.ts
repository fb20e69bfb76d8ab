import assert from 'node:assert/strict';
import { readRoot } from '../../support/doc-pages.ts';

describe('README.md', () => {
  it('says that the first sign-in asks for a new password, and that the first one is needed once', () => {
    const text = readRoot('README.md').replaceAll(/\s+/g, ' ');
    assert.match(text, /The first sign-in asks for a new password: the one in `first-start\.json` is needed once\./);
  });

  it('is short, and has five ways to install', () => {
    const text = readRoot('README.md');
    const lines = text.trimEnd().split('\n').length;
    assert.ok(lines <= 160, `${lines} lines`);
    const install = text.slice(text.indexOf('## Install'), text.indexOf('## Your first error'));
    const ways = [...install.matchAll(/^\*\*(\w+)\*\*/gm)].map(([, name]) => name);
    assert.deepEqual(ways, ['Container', 'Compose', 'npm', 'systemd', 'Helm']);
  });
});
