import type { ImportProgress } from '../../api/import-api.ts';

const STAGES: Readonly<Record<string, string>> = {
  projects: 'Project and keys',
  errors: 'Errors',
  events: 'Events',
  truth: 'Errors of both trackers',
  likeness: 'Similar errors',
  releases: 'Releases',
  reports: 'User reports',
  comments: 'Comments',
  counts: 'Counts',
  reconcile: 'Check',
};

/** Returns the name of a stage for users. */
export function stageName(name: string): string {
  return STAGES[name] ?? name;
}

export const STATE_TEXTS: Readonly<Record<ImportProgress['state'], string>> = {
  running: 'Running',
  done: 'Done',
  failed: 'Stopped by a problem',
  cancelled: 'Stopped',
};

export const STATE_TONES: Readonly<Record<ImportProgress['state'], string>> = {
  running: '',
  done: 'success',
  failed: 'danger',
  cancelled: 'warning',
};
