import type { IngestKeyStore } from '../../src/auth/key-verdict.ts';
import type { Forward } from '../../src/domain/ingest/forward.ts';
import type { ProtectionOverrides } from '../../src/domain/ingest/protection-overrides.ts';
import type { IngestAccess, TrackingStore } from '../../src/domain/ports/stores/tracking-store.ts';
import type { ClientKey, TrackingSettings } from '../../src/domain/projects/tracking-settings.ts';

/** Key store with project 42, which has keys in every state, and with one project per reason for a refusal. */
export class FakeKeyStore implements IngestKeyStore, Pick<TrackingStore, 'ingestAccess'> {
  /** Number of reads of all keys. */
  fullLooks = 0;
  lookUps = 0;
  error: Error | null = null;
  readonly keys = new Map<string, ClientKey>();
  readonly settingsRows = new Map<number, TrackingSettings>();
  readonly aliases: (readonly [projectId: number, alias: string])[] = [
    [42, '7001'],
    [42, 'old-shop'],
    // The id of another project.
    [42, '43'],
    [46, '7001'],
  ];
  readonly protections = new Map<number, ProtectionOverrides>();
  readonly forwards = new Map<number, number | null>();

  constructor() {
    this.addKey(1, 42, 'glet_abc123');
    this.addKey(2, 42, 'glet_disabled', false);
    this.addKey(3, 43, 'glet_unconfigured');
    this.addKey(4, 44, 'glet_switchedoff');
    this.addKey(5, 45, 'glet_external');
    this.addKey(6, 46, 'glet_neighbour');
    this.addKey(7, 42, 'k');
    this.setSettings(42, true, true);
    this.setSettings(44, false, true);
    this.setSettings(45, true, false);
    this.setSettings(46, true, true);
  }

  addKey(id: number, projectId: number, publicKey: string, active = true): void {
    this.keys.set(publicKey, { id, projectId, publicKey, active, createdAt: 0, lastUsedAt: null });
  }

  setSettings(projectId: number, active: boolean, integrated: boolean): void {
    this.settingsRows.set(projectId, {
      projectId,
      active,
      integrated,
      apiUrl: null,
      projectName: null,
      organizationName: null,
      thirdpartyProjectId: null,
      sealedToken: null,
      tracker: null,
    });
  }

  async keyByPublicKey(publicKey: string): Promise<ClientKey | null> {
    this.lookUps += 1;
    if (this.error !== null) {
      throw this.error;
    }
    return this.keys.get(publicKey) ?? null;
  }

  async listAliases(projectId: number): Promise<string[]> {
    if (this.error !== null) {
      throw this.error;
    }
    return this.aliases.flatMap(([id, alias]) => (id === projectId ? [alias] : []));
  }

  async settings(projectId: number): Promise<TrackingSettings | null> {
    return this.settingsRows.get(projectId) ?? null;
  }

  async forward(projectId: number): Promise<Forward | null> {
    const until = this.forwards.get(projectId);
    return until === undefined ? null : { projectId, sealedDsn: 'x', target: 'https://t/1', until, createdAt: 0 };
  }

  async ingestAccess(known: string | null): Promise<IngestAccess | null> {
    if (this.error !== null) {
      throw this.error;
    }
    const keys = [...this.keys.values()].filter(({ active, projectId }) => {
      const settings = this.settingsRows.get(projectId);
      return active && settings?.active === true && settings.integrated;
    });
    const aliases = [...this.aliases];
    const protections = [...this.protections];
    const forwards = [...this.forwards];
    const version = JSON.stringify([keys, aliases, protections, forwards]);
    if (version === known) {
      return null;
    }
    this.fullLooks += 1;
    return { version, keys, aliases, protections, forwards };
  }
}
