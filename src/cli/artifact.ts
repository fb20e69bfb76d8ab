import type { Command } from 'commander';
import { entityOfProject, targetOf } from '../audit/shown-values.ts';
import type { ArtifactBundle } from '../domain/artifacts/artifact.ts';
import { AppError } from '../domain/app-error.ts';
import { findProject } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printLine, printList, timeText } from './call/output.ts';
import { withStore } from './people/session.ts';

const PROJECT = reference('id or path');

/** The same members as the API's. */
function artifactJson({ id, kind, release, dist, debugIds, files, size, ...bundle }: ArtifactBundle) {
  return {
    ...{ id, kind, release, dist, debug_ids: debugIds, files, size },
    stored_bytes: bundle.storedBytes,
    complete: bundle.complete,
    problems: bundle.problems,
    uploaded_at: timeText(bundle.uploadedAt),
    last_used_at: timeText(bundle.lastUsedAt),
  };
}

export function addArtifactCommands(program: Command): void {
  const artifact = program.command('artifact').description('uploads of build tools: source maps');

  withOperands(
    artifact.command('list').description('list the uploads of a project, newest first').option('--json', 'print JSON'),
    { project: PROJECT },
    async ({ project }, options: { json?: boolean }) => {
      const bundles = await withStore(async ({ store }) => store.listBundles((await findProject(store, project)).id));
      const head = ['id', 'release', 'dist', 'files', 'bytes', 'uploaded', 'last used'];
      printList(bundles.map(artifactJson), options.json, head, (one) => [
        one.id,
        one.release,
        one.dist,
        one.files,
        one.stored_bytes,
        one.uploaded_at,
        one.last_used_at,
      ]);
    },
  );

  withOperands(
    artifact.command('remove').description('remove an upload; errors that it mapped stay as they are'),
    { project: PROJECT, id: reference('as `errgate artifact list` shows it') },
    async ({ project, id }) => {
      await withStore(async ({ store, audit }) => {
        const found = await findProject(store, project);
        const target = targetOf('Upload', id, `upload ${id.slice(0, 8)}`);
        await audit.change({ event: 'upload_deleted', entity: entityOfProject(found), target }, async () => {
          if (!(await store.removeBundle(found.id, id))) throw new AppError('not_found', `there is no upload ${id}`);
        });
        printLine(`removed upload ${id}`);
      });
    },
  );
}
