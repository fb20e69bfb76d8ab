import { deepEqual, equal, ok } from 'node:assert/strict';
import { objectSchema } from '../../../../src/gateway/http/object-schema.ts';
import { presenter } from '../../../../src/gateway/http/presenter.ts';
import { routes } from '../../../../src/gateway/routes.ts';

const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;

const personSchema = objectSchema({ properties: { id: { type: 'integer' }, full_name: { type: 'string' } } });

const channelSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    display_name: { type: 'string' },
    kind: { enum: ['mail', 'chat'] },
    created_at: { type: 'string', format: 'date-time' },
    last_sent_24h: nullableTime,
    owner: { anyOf: [personSchema, { type: 'null' }] },
    quiet_hours: {
      type: ['object', 'null'],
      properties: { from: { type: 'string' }, ends_at: nullableTime, why: { type: 'string' } },
      required: ['from', 'ends_at'],
    },
    history: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { seen_at: nullableTime, counts: { type: 'array', items: { type: 'integer' } } },
        required: ['seen_at', 'counts'],
      },
    },
    note: { type: 'string' },
  },
  required: ['id', 'display_name', 'kind', 'created_at', 'last_sent_24h', 'owner', 'quiet_hours', 'history'],
} as const;

const present = presenter(channelSchema);

const channel = {
  id: 7,
  displayName: 'Team',
  kind: 'mail',
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  lastSent24h: null,
  owner: { id: 1, fullName: 'Ada', passwordHash: 'h' },
  quietHours: { from: '22:00', endsAt: null, token: 't' },
  history: [
    { seenAt: 0, counts: [1, 2], sealed: 's' },
    { seenAt: null, counts: [] },
  ],
  secret: 'whsec_1',
  sealed: 'AAAA',
  tokenHash: 'ffff',
} as const;

/** Collects the names of all members in a schema, and those of its write-only ones. */
function membersOf(schema: unknown, found: { names: Set<string>; writeOnly: string[] }, name = ''): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ((schema as { 'x-secret'?: unknown })['x-secret'] === true) found.writeOnly.push(name);
  const { properties } = schema as { properties?: object };
  for (const key of Object.keys(properties ?? {})) found.names.add(key);
  for (const [key, value] of Object.entries(schema)) membersOf(value, found, key);
}

describe('a presenter made from a schema', () => {
  it('renames the members of the schema, in its order, and formats times', () => {
    equal(
      JSON.stringify(present(channel)),
      JSON.stringify({
        id: 7,
        display_name: 'Team',
        kind: 'mail',
        created_at: '2026-01-02T03:04:05.006Z',
        last_sent_24h: null,
        owner: { id: 1, full_name: 'Ada' },
        quiet_hours: { from: '22:00', ends_at: null },
        history: [
          { seen_at: '1970-01-01T00:00:00.000Z', counts: [1, 2] },
          { seen_at: null, counts: [] },
        ],
      }),
    );
    const {
      owner,
      quiet_hours: quiet,
      history,
    } = present({ ...channel, owner: null, quietHours: null, history: null });
    deepEqual([owner, quiet, history], [null, null, null]);
  });

  it('shows an optional member of the schema only if the entity has it', () => {
    equal('note' in present(channel), false);
    equal('note' in present({ ...channel, note: undefined }), false);
    equal(present({ ...channel, note: 'on call' }).note, 'on call');
  });

  it('leaves out what the schema does not have: hashes, sealed values, secrets', () => {
    const body = JSON.stringify(present(channel));
    for (const hidden of ['secret', 'sealed', 'Hash', 'hash', 'whsec', 'AAAA', 'ffff']) {
      ok(!body.includes(hidden), `${hidden} is in ${body}`);
    }
  });

  it('does not compile for an entity that lacks a member or has another type', () => {
    const { displayName: _, ...unnamed } = channel;
    // @ts-expect-error: displayName is missing
    deepEqual(present(unnamed).display_name, undefined);
    // @ts-expect-error: the kind is not one of the schema
    deepEqual(present({ ...channel, kind: 'fax' }).kind, 'fax');
    // @ts-expect-error: endsAt is missing in a member
    deepEqual(present({ ...channel, quietHours: { from: '22:00' } }).quiet_hours, { from: '22:00' });
    // @ts-expect-error: a time is a number of milliseconds
    deepEqual(present({ ...channel, lastSent24h: 'now' }).last_sent_24h, '1970-01-01T00:00:00.000Z');
  });

  it('meets no write-only member in the answers of any route', () => {
    const found = { names: new Set<string>(), writeOnly: [] as string[] };
    for (const { responses } of routes) membersOf(responses, found);
    ok(found.names.size > 300, `only ${found.names.size} members were found`);
    deepEqual(found.writeOnly, []);
    deepEqual(
      [...found.names].filter((name) => /seal|hash|cipher|encrypted/i.test(name)),
      [],
    );
  });
});
