import type { SourceProject } from './source-records.ts';

const dashed = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

export const projectRow = (project: SourceProject) => ({
  name: project.name,
  slug: project.slug,
  id: project.id,
  avatar: { avatarType: '', avatarUuid: null },
  features: [],
  hasAccess: true,
  dateCreated: '2024-01-01T00:00:00.000Z',
  platform: project.platform,
  firstEvent: null,
  eventThrottleRate: 0,
  teams: [{ id: '1', slug: 'backend' }],
});

export function keyRow(project: SourceProject, key: SourceProject['keys'][number], origin: string) {
  const dsn = `${origin.replace('://', `://${key.publicKey}@`)}/${project.id}`;
  return {
    name: key.label,
    rateLimit: key.rateLimit,
    dateCreated: '2024-01-01T00:00:00.000Z',
    id: dashed(key.publicKey),
    dsn: { public: dsn, secret: dsn, security: `${origin}/api/${project.id}/security/?glitchtip_key=${key.publicKey}` },
    label: key.label,
    public: dashed(key.publicKey),
    projectID: Number(project.id),
    ...(key.active ? {} : { isActive: false }),
  };
}
