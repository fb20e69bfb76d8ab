import type { ImportedRelease } from '../../domain/imports/import.ts';
import type { ProjectContext } from '../project-context.ts';

/** Releases that are written at once. */
const BATCH = 200;

/** Imports the releases of the project. */
export async function importReleases(context: ProjectContext): Promise<void> {
  const { deps, from, projectId, slug, signal, state } = context;
  const stage = context.stage('releases');
  await context.read('releases', 'releases', async () => {
    stage.done = 0;
    let batch: ImportedRelease[] = [];
    const write = async (): Promise<void> => {
      if (batch.length === 0) return;
      await deps.store.putReleases(projectId, batch);
      stage.done += batch.length;
      batch = [];
      context.report();
    };
    for await (const release of from.reader.releases(slug, signal)) {
      batch.push(release);
      if (batch.length >= BATCH) await write();
    }
    await write();
  });
  stage.total = stage.done;
  state.releases = stage.done;
}
