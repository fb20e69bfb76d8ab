import type { ErrorStream, ProjectOverview } from '../../api/projects-api.ts';
import { REPORTER } from '../../lib/access-levels.ts';
import { counted } from '../../lib/numbers.ts';

/** What stands in the place of a stream without errors. */
export interface EmptyStream {
  /** `clear`: all is well; `soon`: errors have no place yet; `closed`: nothing can be read; `failed`: nothing was read. */
  readonly kind: 'clear' | 'soon' | 'closed' | 'failed';
  readonly title: string;
  readonly text: string;
}

const parts = new Intl.ListFormat('en');

/** Says why a stream is empty. `projects`: those of the stream; `whose`: `your` or `your favourite`. */
export function emptyStream(
  projects: readonly ProjectOverview[],
  { missing }: Pick<ErrorStream, 'missing'>,
  whose: string,
): EmptyStream {
  const unread = new Set(missing.map(({ project }) => project.id));
  const off = projects.filter(({ active, monitor }) => !active || !monitor);
  const hidden = projects.filter((each) => !off.includes(each) && each.access_level < REPORTER);
  const failed = projects.filter(({ project }) => unread.has(project.id));
  const read = projects.length - off.length - hidden.length - failed.length;
  if (projects.some(({ unresolved_count: unresolved }) => (unresolved ?? 0) > 0)) {
    const text = 'New errors appear here within 30 seconds. The lists of the projects show them at once.';
    return { kind: 'soon', title: 'No errors here yet', text };
  }
  if (projects.length === 0) {
    return {
      kind: 'closed',
      title: 'No favourites yet',
      text: 'Mark projects with the star to see their errors here.',
    };
  }
  // Those that did not answer are named below the stream.
  const without = [
    ...(hidden.length > 0 ? [`${counted(hidden.length, 'project')} where you have the Guest role`] : []),
    ...(off.length > 0 ? [`${counted(off.length, 'project')} where error tracking is off`] : []),
  ];
  const leftOut = without.length === 0 ? '' : ` Not included: ${parts.format(without)}.`;
  if (read > 0) {
    const where = read === projects.length ? `${whose} projects` : `${read} of ${whose} ${projects.length} projects`;
    return { kind: 'clear', title: 'Nothing needs attention', text: `No unresolved errors in ${where}.${leftOut}` };
  }
  if (failed.length > 0) {
    const text = `No external tracker of ${whose} projects has answered.${leftOut}`;
    return { kind: 'failed', title: 'Errors could not be loaded', text };
  }
  if (off.length === 0) {
    const text = `You have the Guest role in ${whose} projects. Ask one of their maintainers for the Reporter role.`;
    return { kind: 'closed', title: 'You need the Reporter role to see errors', text };
  }
  if (hidden.length === 0) {
    const text = `It is off in all of ${whose} projects. Maintainers switch it on in Settings.`;
    return { kind: 'closed', title: 'Error tracking is off', text };
  }
  return { kind: 'closed', title: 'No errors to show', text: leftOut.trimStart() };
}
