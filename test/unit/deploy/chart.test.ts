import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeSpans, readRoot, ROOT } from '../../support/doc-pages.ts';

const CHART = 'charts/errgate';

type Values = Record<string, unknown>;
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly $ref?: string;
}

const defaults = parse(readRoot(`${CHART}/values.yaml`)) as Values;
const schema = JSON.parse(readRoot(`${CHART}/values.schema.json`)) as Schema;
const chart = parse(readRoot(`${CHART}/Chart.yaml`)) as { version: string; appVersion: string };
const templates = readdirSync(join(ROOT, CHART, 'templates'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:tpl|yaml|txt)$/.test(file))
  .map((file) => readRoot(`${CHART}/templates/${file}`))
  .join('\n');

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Defaults with other values laid over them, as Helm does. */
function laidOver(base: Values, values: Values): Values {
  const merged = { ...base };
  for (const [name, value] of Object.entries(values)) {
    const before = base[name];
    merged[name] = isObject(before) && isObject(value) ? laidOver(before, value) : value;
  }
  return merged;
}

/** Paths of values: `image.tag`. Members that an object takes freely are not followed. */
function valuePaths(values: Values, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isObject(value) ? [prefix + name, ...valuePaths(value, `${prefix}${name}.`)] : [prefix + name],
  );
}

/** Variables of settings, from the file that assigns them. */
const variables = [...readRoot('config/custom-environment-variables.json').matchAll(/"(ERRGATE_\w+)"/g)].map(
  ([, name = '']) => name,
);
/** Variables that the chart itself sets; those of secrets without the ending `_FILE`. */
const ownVariables = [...templates.matchAll(/(?:name|\w+): (ERRGATE_\w+)/g)].map(([, name = '']) => name);

describe('the chart for Kubernetes', () => {
  const fits = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true, strictTypes: false }).compile(schema);
  const problems = (values: Values): string[] => {
    fits(laidOver(defaults, values));
    return (fits.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, ...Object.values(params as object).filter((value) => typeof value === 'string')].join(
        ' ',
      ),
    );
  };

  const GOOD: Readonly<Record<string, Values>> = {
    'its defaults': {},
    'an address with a sub-path': { externalUrl: 'https://example.com/errors' },
    MongoDB: { replicaCount: 3, secrets: { mongodbUri: { existingSecret: 'errgate', key: 'uri' } } },
    'settings of each type': {
      settings: { ERRGATE_RETENTION_DAYS: 30, ERRGATE_STORE_MAX_BYTES: '40GiB', ERRGATE_BOOTSTRAP: false },
    },
    'what a parent chart shares': { global: { imageRegistry: 'registry.example.com' } },
    'a variable of a Secret': {
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', valueFrom: { secretKeyRef: { name: 'ca', key: 'file' } } }],
    },
    'rights of OpenShift': { podSecurityContext: { runAsUser: null, fsGroup: null } },
    'a share as budget': { podDisruptionBudget: { maxUnavailable: '25%' } },
  };
  for (const [title, values] of Object.entries(GOOD)) {
    it(`takes ${title}`, () => assert.deepEqual(problems(values), []));
  }

  const BAD: Readonly<Record<string, readonly [Values, RegExp]>> = {
    'a misspelt value': [{ replicas: 2 }, /^ must NOT .*replicas$/],
    'a misspelt member': [{ image: { version: '1' } }, /^\/image must NOT .*version$/],
    'an unknown setting': [{ settings: { ERRGATE_RETENTION: 30 } }, /^\/settings must NOT .*ERRGATE_RETENTION$/],
    'a secret as setting': [{ settings: { ERRGATE_SECRET_KEY: 'abc' } }, /^\/settings must NOT .*ERRGATE_SECRET_KEY$/],
    'a secret as value': [{ secrets: { mailUrl: 'smtp://a:b@c' } }, /^\/secrets\/mailUrl must be object/],
    'a variable of the chart': [
      { extraEnv: [{ name: 'ERRGATE_DATA_DIR', value: '/' }] },
      /^\/extraEnv\/0\/name must NOT/,
    ],
    'an address without a scheme': [{ externalUrl: 'errors.example.com' }, /^\/externalUrl must match/],
    'an address with a query': [{ externalUrl: 'https://a.example/?b' }, /^\/externalUrl must match/],
    'a path that a proxy may read in another way': [
      { externalUrl: 'https://a.example/a%2Fb' },
      /^\/externalUrl must match/,
    ],
    'a name with dots': [{ fullnameOverride: 'a.b' }, /^\/fullnameOverride must match/],
    'a fraction of a gateway': [{ replicaCount: 1.5 }, /^\/replicaCount must be integer/],
    'a tag in the name of the image': [{ image: { repository: 'https://a/b' } }, /^\/image\/repository must match/],
    'a volume of many': [{ persistence: { accessMode: 'ReadWriteMany' } }, /^\/persistence\/accessMode must be equal/],
    'a size without sense': [{ persistence: { size: 'large' } }, /^\/persistence\/size must match/],
    'an end before the service has stopped': [
      { terminationGracePeriodSeconds: 10 },
      /^\/terminationGracePeriodSeconds must be >= 20/,
    ],
    'a setting that is a list': [{ settings: { ERRGATE_OIDC_GROUP_ROLES: [] } }, /GROUP_ROLES must be string,integer/],
  };
  for (const [title, [values, expected]] of Object.entries(BAD)) {
    it(`refuses ${title}`, () => {
      const found = problems(values);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', expected);
    });
  }

  it('has a schema for every value, and a default for everything in the schema', () => {
    const definitions = (schema as { definitions: Record<string, Schema> }).definitions;
    const strictPaths = ({ properties = {}, additionalProperties, $ref }: Schema, prefix: string): string[] => {
      if ($ref !== undefined) return strictPaths(definitions[$ref.slice('#/definitions/'.length)] ?? {}, prefix);
      if (additionalProperties !== false) return [];
      return Object.entries(properties).flatMap(([name, member]) => [
        prefix + name,
        ...strictPaths(member, `${prefix}${name}.`),
      ]);
    };
    const open = /^(?:global|settings\..*|(?:startup|liveness|readiness)Probe\..*)$/;
    const described = strictPaths(schema, '').filter((path) => !open.test(path));
    const given = valuePaths(defaults);
    assert.ok(described.length > 80, String(described.length));
    assert.deepEqual(
      described.filter((path) => !given.includes(path)),
      [],
    );
  });

  it('takes every setting of the service that it does not set itself, and no other', () => {
    assert.ok(ownVariables.length > 10, ownVariables.join());
    const { settings } = schema.properties ?? {};
    const others = variables.filter((name) => !ownVariables.includes(name));
    const message = 'the settings of charts/errgate/values.schema.json';
    assert.deepEqual(Object.keys(settings?.properties ?? {}).toSorted(), others.toSorted(), message);
    assert.deepEqual(
      ownVariables.filter((name) => ![...variables, 'ERRGATE_CONFIG_DIR'].includes(name)),
      [],
    );
  });

  it('reads every value of the values file', () => {
    const named = (path: string): boolean => {
      const last = path.slice(path.lastIndexOf('.') + 1);
      return new RegExp(`\\.${last}\\b|^${last}: ERRGATE_`, 'm').test(templates);
    };
    const read = valuePaths(defaults).filter(
      (path) => !/^(?:resources|podSecurityContext|securityContext|\w+Probe)\./.test(path),
    );
    assert.deepEqual(
      read.filter((path) => !named(path)),
      [],
    );
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readRoot('package.json')) as { version: string };
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  });

  it('has the alerts of deploy/prometheus', () => {
    const message = 'cp deploy/prometheus/errgate-rules.yml charts/errgate/files/';
    assert.equal(
      readRoot(`${CHART}/files/errgate-rules.yml`),
      readRoot('deploy/prometheus/errgate-rules.yml'),
      message,
    );
  });

  it('asks routes that exist', () => {
    const { paths } = JSON.parse(readRoot('docs/openapi.json')) as { paths: object };
    const asked = [...templates.matchAll(/(?:path: |')(\/-\/\w+)/g)].map(([, path = '']) => path);
    assert.deepEqual([...new Set(asked)].toSorted(), ['/-/liveness', '/-/metrics', '/-/readiness']);
    assert.deepEqual(
      asked.filter((path) => !(path in paths)),
      [],
    );
  });

  it('has the user, the port and the program of the image', () => {
    const image = readRoot('Dockerfile');
    const { runAsUser, runAsGroup, fsGroup } = defaults['podSecurityContext'] as Record<string, number>;
    assert.match(image, new RegExp(`^USER ${runAsUser}:${runAsGroup}$`, 'm'));
    assert.equal(fsGroup, runAsGroup);
    const [, port] = /^EXPOSE (\d+)$/m.exec(image) ?? [];
    assert.match(templates, new RegExp(`name: ERRGATE_PORT\\n +value: '${port}'`));
    assert.match(templates, new RegExp(`containerPort: ${port}\\n`));
  });

  it('waits longer for the end than the service takes', () => {
    const { server } = JSON.parse(readRoot('config/default.json')) as { server: { shutdownTimeoutMs: number } };
    const [, before] = /command: \[sleep, '(\d+)'\]/.exec(templates) ?? [];
    const seconds = defaults['terminationGracePeriodSeconds'] as number;
    assert.ok(seconds * 1000 >= Number(before) * 1000 + 2 * server.shutdownTimeoutMs, String(seconds));
  });

  it('has every value that docs/kubernetes.md names', () => {
    const given = valuePaths(defaults);
    const roots = Object.keys(defaults);
    const named = codeSpans([{ path: 'docs/kubernetes.md', text: readRoot('docs/kubernetes.md') }])
      .map(({ text }) => text)
      .filter((text) => /^[a-z]\w*(?:\.\w+)*$/i.test(text) && roots.includes(text.split('.')[0] ?? ''));
    assert.ok(named.length > 10, named.join());
    const known = (name: string) => given.includes(name) || variables.includes(name.replace(/^settings\./, ''));
    assert.deepEqual(
      named.filter((name) => !known(name)),
      [],
    );
  });
});
