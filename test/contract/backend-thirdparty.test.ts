import assert from 'node:assert/strict';
import type { Project } from '../../src/domain/projects/project.ts';
import { startLinkedWorld, type LinkedWorldOptions } from '../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES, type PersonalityName } from '../support/fake-tracker/personality.ts';
import { linkedBackend } from '../support/fake-tracker/thirdparty-backend.ts';
import type { FakeProject } from '../support/fake-tracker/world.ts';
import { backendContract } from './backend.contract.ts';
import { messageOf, NOW, titleOf, type BackendHarness, type SeedError } from './backend-harness.ts';

const project = (id: number, path: string): Project => ({
  id,
  path,
  name: path,
  visibility: 'private',
  monitorEnabled: true,
  createdAt: NOW,
});

async function makeHarness(name: PersonalityName, options: LinkedWorldOptions = {}): Promise<BackendHarness> {
  const world = await startLinkedWorld(name, { now: NOW, ...options });
  const { tracker, shop, other } = world;
  const [app, foreign] = [project(1, 'group/app'), project(2, 'group/other')];
  const linked = (target: Project): FakeProject => (target.id === app.id ? shop : other);
  // Errors of a project that nobody linked: they must never be seen.
  tracker.world.addIssue(world.stranger, { title: 'Secret: of strangers', events: [{ at: NOW }] });
  return {
    backend: linkedBackend(world, (target) => world.settingsFor(target.id, linked(target))),
    integratedErrors: null,
    project: app,
    foreign,
    frames: ['main:3', 'show:10'],
    namesEnvironments: name !== 'Urgentry',
    // The kind says which neighbour is meant.
    namesNeighbours: name !== 'Urgentry' || options.kind !== undefined,
    async seed(target: Project, errors: readonly SeedError[]) {
      for (const error of errors) {
        tracker.world.addIssue(linked(target), {
          title: titleOf(error),
          type: error.type === undefined ? 'ValueError' : error.type,
          message: messageOf(error),
          ...(error.culprit === undefined ? {} : { culprit: error.culprit }),
          level: error.level ?? 'error',
          status: error.status ?? 'unresolved',
          events: error.events,
        });
      }
    },
    assertClean() {
      tracker.assertClean();
      const stranger = tracker.world.issues.find((issue) => issue.project === world.stranger);
      assert.equal(stranger?.status, 'unresolved', 'a change in a project of strangers');
      assert.ok(tracker.mostInFlight <= 5);
    },
    dispose: () => world.close(),
  };
}

for (const name of PERSONALITY_NAMES) {
  // Two projects of one setting each learn the dialect with the same token.
  backendContract(`third-party, ${name}`, () => makeHarness(name, { lessons: 2 }));
}
backendContract('third-party, Urgentry that is known to be one', () =>
  makeHarness('Urgentry', { kind: 'urgentry', lessons: 2 }),
);
backendContract('third-party, GlitchTip that is known to be one', () =>
  makeHarness('GlitchTip 5.2', { kind: 'glitchtip', lessons: 2 }),
);
backendContract('third-party, Sentry 26 without brownouts', () =>
  makeHarness('Sentry 26', { brownout: false, lessons: 2 }),
);
