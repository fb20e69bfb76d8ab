import assert from 'node:assert/strict';
import type { ProjectOverview } from '../../../ui/src/api/projects-api.ts';
import { emptyStream } from '../../../ui/src/pages/start/empty-stream.ts';

let lastId = 0;

function overview(given: Partial<ProjectOverview> = {}): ProjectOverview {
  lastId += 1;
  return {
    project: { id: lastId, name: 'p', path_with_namespace: `a/p${lastId}`, visibility: 'private', web_url: '' },
    ...{ access_level: 30, active: true, integrated: true, monitor: true, favourite: false },
    ...{ unresolved_count: 0, new_count: 0, regressed_count: 0, last_seen: null, frequency: null },
    ...given,
  };
}

const NONE = { unresolved_count: null, new_count: null, regressed_count: null } as const;
const guest = () => overview({ ...NONE, access_level: 10 });
const paused = () => overview({ ...NONE, active: false });
const linked = () => overview({ ...NONE, integrated: false });
const missingOf = (projects: readonly ProjectOverview[]) => ({
  missing: projects.map(({ project }) => ({ project, reason: 'The tracker did not answer in time.' })),
});
const said = (projects: readonly ProjectOverview[], missing: readonly ProjectOverview[] = []) => {
  const { kind, title, text } = emptyStream(projects, missingOf(missing), 'your');
  return `${kind}: ${title}. ${text}`;
};

describe('a stream without errors', () => {
  it('is good news where all projects were read, also from an external tracker', () => {
    const text = 'clear: Nothing needs attention. No unresolved errors in your projects.';
    assert.equal(said([overview(), overview()]), text);
    assert.equal(said([linked()]), text);
  });

  it('names projects that were not read', () => {
    assert.equal(
      said([overview(), guest(), paused(), overview({ ...NONE, monitor: false })]),
      'clear: Nothing needs attention. No unresolved errors in 1 of your 4 projects. ' +
        'Not included: 1 project where you have the Guest role and 2 projects where error tracking is off.',
    );
    const away = linked();
    assert.match(said([overview(), away], [away]), /^clear: .* in 1 of your 2 projects\.$/);
  });

  it('is no news where none was read', () => {
    assert.match(said([guest(), guest()]), /^closed: You need the Reporter role to see errors\./);
    assert.match(said([paused()]), /^closed: Error tracking is off\./);
    assert.match(said([paused(), guest()]), /^closed: No errors to show\. Not included: 1 project/);
    const away = linked();
    assert.match(said([away, guest()], [away]), /^failed: Errors could not be loaded\..*Guest role\.$/);
    assert.match(said([]), /^closed: No favourites yet\./);
  });

  it('waits for errors that have no place yet', () => {
    assert.match(said([overview({ unresolved_count: 2 }), guest()]), /^soon: No errors here yet\./);
  });
});
