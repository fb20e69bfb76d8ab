import { eventBody } from '../../../bench/measure/event-body.ts';
import { formOf, makeBundle, sha1 } from '../build-tools.ts';
import { captures } from '../ingest-captures.ts';
import { eventually, type StartedService } from '../service-process.ts';
import { hexId, HOUR } from '../store-data.ts';

/** Keys of the captured requests. Their project is made by the command line. */
export const CAPTURED_KEYS = ['glet_abc123', 'k'];
/** Id of the project in the captured requests, which is an alias of theirs. */
export const CAPTURED_ID = 42;
export const CAPTURED_PATH = 'fixture/sdks';

/** Type of the events that were acknowledged, but not stored, when the fixture was made; and their number. */
export const PENDING = { type: 'PendingError', events: 5 } as const;

/** Password of the people in the fixtures. */
export const PASSWORD = 'correct-horse-battery-staple';

type Row = Readonly<Record<string, unknown>>;

/** Calls a running service as its administrator. */
export class FixtureClient {
  readonly #service: StartedService;

  constructor(service: StartedService) {
    this.#service = service;
  }

  /** Calls the REST API below `/api/v4`. Returns the body; throws for any other status than 2xx. */
  async api(method: string, path: string, body?: object): Promise<unknown> {
    return this.ask(method, `/api/v4${path}`, body);
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.#service.url + path, {
      method,
      headers: {
        'PRIVATE-TOKEN': this.#service.first.token,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** Sends a request of an SDK. */
  async send(path: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const answer = await fetch(this.#service.url + path, { method: 'POST', headers, body: body as BodyInit });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  }

  /** Sends an event to the first project. */
  async sendEvent(body: object | string): Promise<void> {
    await this.send(this.#path('store'), typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Sends the items of an envelope to the first project. */
  async sendItems(header: object, items: readonly (readonly [object, object])[]): Promise<void> {
    const lines = items.flatMap(([type, payload]) => [type, payload]);
    await this.send(this.#path('envelope'), [header, ...lines].map((line) => JSON.stringify(line)).join('\n'));
  }

  get projectId(): number {
    return this.#service.first.project_id;
  }

  #path(route: 'store' | 'envelope'): string {
    const { project_id: id, dsn } = this.#service.first;
    return `/api/${id}/${route}/?sentry_key=${new URL(dsn).username}`;
  }

  async upload(name: string, content: Uint8Array): Promise<void> {
    const { body, contentType } = formOf([{ name: 'file', filename: name, content }]);
    const { url, first } = this.#service;
    const answer = await fetch(`${url}/api/0/organizations/${first.project_path.split('/')[0] ?? ''}/chunk-upload/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.token}`, 'content-type': contentType },
      body: new Uint8Array(body),
    });
    if (!answer.ok) throw new Error(`chunk-upload answered ${answer.status}: ${await answer.text()}`);
  }
}

/** Waits until the project has so many stored events; returns the ids of its errors by type. */
async function storedErrors(client: FixtureClient, projectId: number, events: number): Promise<Map<string, string>> {
  const path = `/projects/${projectId}/error_tracking/errors?status=all&per_page=100`;
  const list = await eventually(
    () => client.api('GET', path) as Promise<Row[]>,
    (rows) => rows.reduce((sum, { count }) => sum + Number(count), 0) >= events,
  );
  return new Map(list.map(({ id, type }) => [String(type), String(id)]));
}

/**
 * Fills a service with what every release can do: events of real SDKs and made ones, sessions, user reports, statuses,
 * a merge, people, tokens, keys and settings. The project of the captured requests must be there.
 */
export async function fillFirstRelease(client: FixtureClient, now: number): Promise<void> {
  const { projectId: shop } = client;
  const projects = (await client.api('GET', '/projects')) as Row[];
  const sdks = Number(projects.find(({ path_with_namespace: path }) => path === CAPTURED_PATH)?.['id']);
  await client.api('PUT', `/projects/${sdks}/error_tracking/settings`, { active: true, integrated: true });
  await fillPeople(client);

  for (const capture of captures()) {
    await client.send(capture.path, capture.wire, capture.headers);
  }
  const at = (hours: number) => new Date(now - hours * HOUR);
  for (let index = 0; index < 30; index += 1) {
    await client.sendEvent(eventBody(at(2 + index), hexId(`crowded ${index}`), 1, index % 7));
  }
  for (let index = 0; index < 9; index += 1) {
    await client.sendEvent(eventBody(at(3 + index), hexId(`other ${index}`), 2, index % 3));
  }
  for (const [index, type] of ['MergedOne', 'MergedTwo', 'ResolvedError', 'IgnoredError'].entries()) {
    await client.sendEvent(madeEvent(type, at(30 + index)));
  }
  await client.sendEvent(madeEvent('LargeError', at(5), { extra: { text: 'abcdefgh'.repeat(1500) } }));
  await sendSessions(client, at(4));
  await client.sendItems({ event_id: hexId('crowded 0') }, [
    [
      { type: 'user_report' },
      { event_id: hexId('crowded 0'), name: 'Ada', email: 'ada@example.com', comments: 'It broke.\nTwice.' },
    ],
  ]);

  const errors = await storedErrors(client, shop, 44);
  const id = (type: string) => errors.get(type) ?? '';
  const base = `/projects/${shop}/error_tracking`;
  await client.api('POST', `${base}/errors/${id('MergedOne')}/merge`, { ids: [Number(id('MergedTwo'))] });
  await client.api('PUT', `${base}/errors/${id('ResolvedError')}`, { status: 'resolved' });
  await client.api('PUT', `${base}/errors/${id('IgnoredError')}`, { status: 'ignored' });
  const key = (await client.api('POST', `${base}/client_keys`)) as Row;
  await client.api('PUT', `${base}/client_keys/${Number(key['id'])}`, { active: false });
  await client.api('PUT', `${base}/protection`, {
    ...{ sensitive_fields: ['iban'], scrub_ips: true, key_events_per_minute: 5000, project_events_per_minute: null },
  });
  // Captures are not only events, so what they store settles by itself.
  let before = -1;
  await eventually(
    async () => {
      const last = before;
      before = (await storedErrors(client, sdks, 1)).size;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return before === last;
    },
    (isSettled) => isSettled,
  );
}

async function fillPeople(client: FixtureClient): Promise<void> {
  const { projectId: shop } = client;
  for (const [username, level] of [
    ['ada', 40],
    ['grace', 30],
  ] as const) {
    await client.api('POST', '/users', {
      ...{ username, name: `${username} of the fixture`, password: PASSWORD },
    });
    await client.api('POST', `/projects/${shop}/members`, { username, access_level: level });
  }
  await client.api('POST', '/user/personal_access_tokens', { name: 'kept', scopes: ['read_api'] });
}

async function sendSessions(client: FixtureClient, at: Date): Promise<void> {
  const attrs = { release: 'shop@1.0.0', environment: 'production' };
  const aggregates = [{ started: at.toISOString(), exited: 90, errored: 6, crashed: 4 }];
  await client.sendItems({}, [[{ type: 'sessions' }, { aggregates, attrs }]]);
}

function madeEvent(type: string, at: Date, more: object = {}): object {
  return {
    ...{ event_id: hexId(type), timestamp: at.toISOString(), platform: 'python', release: 'shop@1.0.0' },
    ...{ environment: 'production', user: { id: `user of ${type}` } },
    exception: { values: [{ type, value: 'of the fixture' }] },
    ...more,
  };
}

/** Sends events that the service acknowledges; whoever calls it kills the service before it stores them. */
export async function sendPending(client: FixtureClient, now: number): Promise<void> {
  await Promise.all(
    Array.from({ length: PENDING.events }, (_, index) =>
      client.sendEvent({ ...madeEvent(PENDING.type, new Date(now)), event_id: hexId(`pending ${index}`) }),
    ),
  );
}

/** Fills a service with what 0.2.0 added. */
export async function fillSecondRelease(client: FixtureClient): Promise<void> {
  const { projectId: shop } = client;
  const base = `/projects/${shop}/error_tracking`;
  const errors = await storedErrors(client, shop, 44);
  const id = (type: string) => errors.get(type) ?? '';
  const users = (await client.api('GET', '/users')) as Row[];
  const ada = Number(users.find(({ username }) => username === 'ada')?.['id']);

  await client.api('PUT', `/users/${ada}`, { email: 'ada@example.com' });

  const group = (await client.api('POST', '/groups', { name: 'Team', path: 'team' })) as Row;
  await client.api('POST', `/groups/${Number(group['id'])}/members`, { user_id: ada, access_level: 30 });
  await client.api('POST', '/projects', { name: 'Below', path: 'below', namespace_path: 'team' });
  await client.api('POST', `/projects/${shop}/invitations`, { email: 'new@example.com', access_level: 30 });

  const channel = (await client.api('POST', `${base}/alert_channels`, {
    ...{ type: 'webhook', name: 'Ops', url: 'https://hooks.example/in' },
  })) as Row;
  await client.api('PUT', `${base}/alert_channels/${Number(channel['id'])}`, { enabled: false });
  const { rules } = (await client.api('GET', `${base}/alerts`)) as { readonly rules: readonly object[] };
  await client.api('PUT', `${base}/alerts`, { rules, poll: false });

  await client.api('PUT', `${base}/errors/${id('PaymentError1')}/assignee`, { user_id: ada });
  await client.api('POST', `${base}/errors/${id('PaymentError1')}/notes`, { text: 'Seen by @grace.' });
  await client.api('PUT', `${base}/errors/${id('PaymentError2')}`, {
    ...{ status: 'resolved', status_details: { inNextRelease: true } },
  });
  await client.api('DELETE', `${base}/errors/${id('LargeError')}`, { discard: true });
  await client.api('POST', `${base}/views`, { name: 'Mine', query: 'status=unresolved' });
  await client.api('PUT', `/user/favourites/${shop}`);
  await client.api('POST', `/projects/${shop}/access_tokens`, { name: 'build', scopes: ['ci'] });
  await fillBuilds(client);
}

async function fillBuilds(client: FixtureClient): Promise<void> {
  const organization = '/api/0/organizations/demo';
  const bundle = makeBundle([
    { path: 'app.js', content: 'const a=1;', type: 'minified_source', url: '~/app.js' },
    {
      path: 'app.js.map',
      content: '{"version":3,"sources":[],"mappings":""}',
      type: 'source_map',
      url: '~/app.js.map',
    },
  ]);
  const checksum = sha1(bundle);
  await client.upload(checksum, bundle);
  const projects = [String(client.projectId)];
  const assemble = { checksum, chunks: [checksum], projects, version: 'shop@1.0.0' };
  await eventually(
    () => client.ask('POST', `${organization}/artifactbundle/assemble/`, assemble) as Promise<Row>,
    ({ state }) => state === 'ok',
  );
  await client.ask('POST', `${organization}/releases/`, {
    ...{ version: 'shop@2.0.0', projects },
    commits: [{ id: 'a'.repeat(40), author_name: 'Ada', author_email: 'ada@example.com', message: 'Pays.' }],
  });
}
