import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { type FakeSource, startFakeSource } from './fake-source/fake-source.ts';
import type { SdkBody, SourceProject } from './fake-source/source-records.ts';
import { IMPORT_TOKEN } from './import-world.ts';
import type { OpenedStore, StoreKind } from './test-stores.ts';

/** Fake Sentry with the project `shop` of `acme`, and an empty store. */
export interface ImportShop {
  readonly source: FakeSource;
  readonly shop: SourceProject;
  readonly store: Store;
}

/** Makes a shop before each test of a suite, and removes it afterwards. `use` is called with it. */
export function useImportShop(kind: StoreKind, use: (made: ImportShop) => void) {
  let source: FakeSource;
  let opened: OpenedStore;

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    const shop = source.world.addProject('shop', { id: '4711' });
    opened = await kind.open();
    use({ source, shop, store: opened.store });
  });
  afterEach(async () => {
    await opened.dispose();
    await source.close();
  });

  const projectAt = async (path: string): Promise<Project> => {
    const found = await opened.store.projectByPath(path);
    assert.ok(found, `there is no ${path}`);
    return found.project;
  };
  return { projectAt };
}

/** Makes an event id of a text. */
export const eventIdFor = (text: string): string => Buffer.from(text.padEnd(16, '.')).toString('hex').slice(0, 32);

/** Body of an SDK whose stack names its error. */
export function bodyOf(name: string, given: SdkBody = {}): SdkBody {
  const frame = { filename: `app/${name}.py`, module: `app.${name}`, function: `run_${name}`, in_app: true, lineno: 3 };
  return {
    platform: 'python',
    level: 'error',
    exception: { values: [{ type: 'ValueError', value: `broken ${name}`, stacktrace: { frames: [frame] } }] },
    ...given,
  };
}
