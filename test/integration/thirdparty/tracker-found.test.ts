import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../config/load.ts';
import { createTrackerSide } from '../../../src/compose/trackers.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackingSettings, TrackingSettingsPatch } from '../../../src/domain/projects/tracking-settings.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { readKeyRing } from '../../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';
import { startLinkedWorld, TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES } from '../../support/fake-tracker/personality.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const KINDS = { 'Sentry 21.4': 'sentry', 'Sentry 26': 'sentry', 'GlitchTip 5.2': 'glitchtip', Urgentry: 'urgentry' };
const SORTS = {
  sentry: ['last_seen', 'first_seen', 'frequency', 'users'],
  glitchtip: ['last_seen', 'first_seen', 'frequency'],
  urgentry: ['last_seen'],
};

describe('saving the link to a tracker finds out what it is', () => {
  for (const name of PERSONALITY_NAMES) {
    it(name, async () => {
      const world = await startLinkedWorld(name, { now: NOW });
      const dataDir = mkdtempSync(join(tmpdir(), 'errgate-found-'));
      try {
        writeFileSync(join(dataDir, 'secret.key'), `${'0f'.repeat(32)}\n`, { mode: 0o600 });
        const config = loadConfig({ env: { ERRGATE_DATA_DIR: dataDir, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } });
        const cipher = createTokenCipher(() => readKeyRing({ secretKey: null, secretKeyPrevious: null, dataDir }));
        let settings: TrackingSettings = {
          ...world.settingsFor(1, world.shop),
          sealedToken: cipher.encrypt(TRACKER_TOKEN, 1),
        };
        const store = {
          saveSettings: async (_projectId: number, patch: TrackingSettingsPatch) =>
            (settings = { ...settings, ...patch }),
        };
        const parts = { dataDir, clock: { now: () => NOW }, logger: SILENT_LOGGER, metrics: createMetrics(), store };
        const side = createTrackerSide(config, parts);
        await side.setup.settingsSaved(null, settings);
        const kind = KINDS[name] as keyof typeof SORTS;
        assert.deepEqual([settings.tracker?.kind, settings.tracker?.base], [kind, world.tracker.origin]);
        // Nothing is left to be found out by asking.
        const before = world.tracker.requests.length;
        const { sorts } = await side.backends.backendFor(settings).capabilities({ id: 1 } as Project);
        assert.deepEqual([sorts, world.tracker.requests.length], [SORTS[kind], before]);
        world.tracker.assertClean();
        side.close();
      } finally {
        await world.close();
        rmSync(dataDir, { recursive: true, force: true });
      }
    });
  }
});
