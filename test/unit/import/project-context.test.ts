import assert from 'node:assert/strict';
import { ProjectContext, type ProjectRun } from '../../../src/import/project-context.ts';
import { newProjectState } from '../../../src/import/state/project-state.ts';
import type { ProjectsReader } from '../../../src/import/tracker-reader.ts';

describe('context of a project in an import', () => {
  it('takes memory as errors come, because a run of files keeps those of all projects', () => {
    const held = (): number => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = held();
    const contexts = Array.from({ length: 500 }, (_, index) => {
      const place = { slug: `p${index}`, projectId: index, path: `acme/p${index}`, sourceId: index };
      return new ProjectContext({ state: newProjectState(place, 0) } as ProjectRun<ProjectsReader>);
    });
    const each = (held() - before) / contexts.length;
    assert.ok(each < 50_000, `${Math.round(each)} bytes per project`);
    contexts[0]?.errorIds.set('issue', '7');
    assert.equal(contexts[0]?.errorIds.get('issue'), '7');
  });
});
