import { projectTarget } from '../../http/audit/audit-targets.ts';

/** The error of the path by its id: its title is content of events. */
export const errorTarget = projectTarget('Error', async ({ path }) => {
  const id = path.error_id ?? path.discarded_id ?? '';
  return { id, name: `error ${id}` };
});

/** Errors that one request deletes, and how many it has deleted. */
export const errorsTarget = projectTarget('Errors', async ({ project, rawParameters }, made) => {
  const deleted: unknown = typeof made === 'object' && made !== null ? Reflect.get(made, 'changed') : null;
  const values = typeof deleted === 'number' ? { deleted, action: String(rawParameters.action) } : {};
  return { id: null, name: project.path, values };
});
