import assert from 'node:assert/strict';
import { SDK_SNIPPETS } from '../../../ui/src/components/sdk-snippets.ts';

describe('the snippets of the pages', () => {
  const installOf = (id: string) => SDK_SNIPPETS.find((snippet) => snippet.id === id)?.install ?? assert.fail(id);

  it('begin in an empty folder', () => {
    assert.match(installOf('go'), /^go mod init app\n/);
    assert.match(installOf('rust'), /^cargo new app\ncd app\n/);
    const java = installOf('java');
    for (const part of ["id 'application'", 'mavenCentral()', 'io.sentry:sentry:', "mainClass = 'App'"]) {
      assert.ok(java.includes(part), part);
    }
  });
});
