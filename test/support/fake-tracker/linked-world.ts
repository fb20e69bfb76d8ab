import type { TrackingSettings } from '../../../src/domain/projects/tracking-settings.ts';
import type { TrackerKind } from '../../../src/domain/projects/tracker-kind.ts';
import { TrackerClient, type ClientSettings } from '../../../src/thirdparty/http/client.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { startFakeTracker, type FakeTracker, type FakeTrackerOptions } from './fake-tracker.ts';
import type { PersonalityName } from './personality.ts';
import type { FakeProject } from './world.ts';

/** Token of every linked world; tests check that it does not leak. */
export const TRACKER_TOKEN = 'sntryu_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

/** Tracker with two projects of one organization and one of another, and a client for it. */
export interface LinkedWorld {
  readonly tracker: FakeTracker;
  readonly client: TrackerClient;
  /** Calls of the client's observers, which feed metrics and the log. */
  readonly observed: string[];
  readonly shop: FakeProject;
  readonly other: FakeProject;
  readonly stranger: FakeProject;
  /** Builds settings that link a project to one of the tracker. */
  settingsFor(projectId: number, linked: FakeProject): TrackingSettings;
  close(): Promise<void>;
}

export interface LinkedWorldOptions extends FakeTrackerOptions {
  readonly client?: Partial<ClientSettings>;
  /** Kind of tracker in the settings; default: not detected yet. */
  readonly kind?: TrackerKind;
}

export async function startLinkedWorld(name: PersonalityName, options: LinkedWorldOptions = {}): Promise<LinkedWorld> {
  const { client: clientSettings, kind, ...trackerOptions } = options;
  const tracker = await startFakeTracker(name, trackerOptions);
  const { world } = tracker;
  // Ids beyond the safe integers of JavaScript, for trackers that have them.
  const [first, second, third] =
    name === 'Sentry 26'
      ? ['9007199254740993', '9007199254740995', '9007199254740997']
      : name === 'Urgentry'
        ? ['default-project', '70facf4ffe880a6673d4f3ca59f932ce', 'stranger_1']
        : ['11', '12', '21'];
  const shop = world.addProject('acme', 'shop', first);
  const other = world.addProject('acme', 'other', second);
  const stranger = world.addProject('strangers', 'shop', third);
  world.addToken(TRACKER_TOKEN);
  const observed: string[] = [];
  const client = new TrackerClient({
    guard: createUrlGuard({ allow: '127.0.0.1' }),
    clock: { now: () => Date.now() },
    observe: (attempt) => observed.push(JSON.stringify(attempt)),
    finished: (_host, failure) => observed.push(failure?.message ?? 'answered'),
    ...(clientSettings === undefined ? {} : { settings: clientSettings }),
  });
  return {
    tracker,
    client,
    observed,
    shop,
    other,
    stranger,
    settingsFor: (projectId, linked) => ({
      projectId,
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/${linked.organization.slug}/${linked.slug}/`,
      projectName: linked.name,
      organizationName: linked.organization.name,
      thirdpartyProjectId: linked.id,
      sealedToken: `encrypted ${projectId}`,
      tracker: kind === undefined ? null : { base: tracker.origin, kind, version: null, checkedAt: Date.now() },
    }),
    async close() {
      client.close();
      await tracker.close();
    },
  };
}
