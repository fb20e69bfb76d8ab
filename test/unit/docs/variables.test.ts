import assert from 'node:assert/strict';
import { described, docPages, namesIn, readRoot } from '../../support/doc-pages.ts';

/** Variables of settings, from the file that assigns them. */
function settingVariables(): string[] {
  return [...readRoot('config/custom-environment-variables.json').matchAll(/"(ERRGATE_\w+)"/g)].map(
    ([, name = '']) => name,
  );
}

/** Other variables and the file that reads each. */
const READ_BY: Readonly<Record<string, string>> = {
  ERRGATE_CONFIG_DIR: 'config/load.ts',
  ERRGATE_IMPORT_TOKEN: 'src/cli/import/import-options.ts',
  ERRGATE_DEV_TOKEN: 'ui/vite.config.ts',
  ERRGATE_DEV_URL: 'ui/vite.config.ts',
  ERRGATE_TEST_CHROMIUM: 'test/support/browser.ts',
  ERRGATE_TEST_KEYCLOAK: 'test/support/keycloak.ts',
  ERRGATE_TEST_LOOKS: 'test/support/browser.ts',
  ERRGATE_TEST_MONGODB_URI: 'test/support/mongo-engine.ts',
  ERRGATE_TEST_ON_DISK: 'test/support/memory-folder.ts',
  ERRGATE_TEST_RETENTION_EVENTS: 'test/drills/retention.test.ts',
  ERRGATE_TEST_SCREENSHOTS: 'test/support/browser.ts',
  ERRGATE_TEST_SDK_CACHE: 'test/support/sdks/built-archives.ts',
  ERRGATE_TEST_SDKS: 'test/support/sdks/every-version.ts',
  ERRGATE_TEST_STORES: 'test/support/full-run.ts',
  ERRGATE_TEST_TOOLS: 'test/support/tools/describe-tool.ts',
};

describe('environment variables in the documentation', () => {
  const pages = docPages();
  const settings = settingVariables();
  const named = namesIn(pages, /\bERRGATE_[A-Z0-9_]+/g);

  it('finds variables in the code and in the pages', () => {
    assert.ok(settings.length > 25, settings.join());
    assert.ok(named.length > 50, String(named.length));
  });

  it('names no variable that nothing reads', () => {
    const known = new Set([...settings.flatMap((name) => [name, `${name}_FILE`]), ...Object.keys(READ_BY)]);
    assert.deepEqual(described(named.filter(({ text }) => !known.has(text))), []);
  });

  it('lists other variables that are still read and named', () => {
    for (const [name, file] of Object.entries(READ_BY)) {
      assert.match(readRoot(file), new RegExp(`\\b${name}\\b`), file);
      assert.ok(
        named.some(({ text }) => text === name),
        `no page names ${name}`,
      );
    }
  });

  it('names the variable of every setting in docs/configuration.md', () => {
    const configuration = readRoot('docs/configuration.md');
    assert.deepEqual(
      settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(configuration)),
      [],
    );
  });
});
