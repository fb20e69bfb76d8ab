/** The import rules of docs/architecture.md, one entry per sentence there. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});
const lib = (name, pattern, allowed) => ({
  name: `only-${name}`,
  severity: 'error',
  comment: `${name} is imported only in ${allowed}`,
  from: { path: '^(src|config)/', pathNot: allowed },
  to: { path: `(^|/)node_modules/${pattern}` },
});
/** Folders of the MongoDB store, each of which imports only the ones before it. */
const MONGO_FOLDERS = [
  ...[
    'documents',
    'engine',
    'files',
    'overview',
    'schema',
    'records',
    'updates',
    'accounts',
    'instance',
    'projects',
    'errors',
  ],
  ...['batch', 'events', 'merging', 'search', 'blocks', 'releases', 'alerts', 'status', 'copy', 'imports', 'links'],
  ...['retention', 'export', 'lists'],
];
/** Folders of the SQLite store, likewise. */
const SQLITE_FOLDERS = [
  ...['engine', 'records', 'accounts', 'errors', 'projects', 'events', 'updates', 'alerts', 'releases', 'merging'],
  ...['imports', 'blocks', 'batch', 'links', 'migrations', 'files', 'search', 'status', 'lists', 'copy', 'retention'],
  ...['instance', 'overview'],
];
/** Folders of the domain, likewise. The files above them are for all of them. */
const DOMAIN_FOLDERS = [
  'events',
  'errors',
  'search',
  'alerts',
  'releases',
  'ingest',
  'imports',
  'projects',
  'artifacts',
  'audit',
  'ports',
];
/** Returns a rule per folder. `named`: end of the pattern of forbidden paths; empty: files of `parent` itself too. */
const inOrder = (parent, folders, named) =>
  folders.map((folder, at) =>
    only(
      `${parent.split('/').slice(1).join('-')}-${folder}`,
      `^${parent}/${folder}/`,
      `^${parent}/(?!(${folders.slice(0, at + 1).join('|')})/)${named}`,
      `${folder} stands on ${folders.slice(0, at).join(', ') || 'none of the others'}`,
    ),
  );

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { path: '^(src|config)/' },
      to: { path: '^(test|bench|ui|scripts)/' },
    },
    ...inOrder('src/storage/mongo', MONGO_FOLDERS, ''),
    ...inOrder('src/storage/sqlite', SQLITE_FOLDERS, ''),
    ...inOrder('src/domain', DOMAIN_FOLDERS, '[^/]+/'),
    only('domain-imports-nothing', '^src/domain/', '^(src/(?!domain/)|config/)', 'domain stands alone'),
    only('schemas-import-nothing', '^src/schemas/', '^(src/(?!schemas/)|config/)', 'schemas stand alone'),
    only('lib-imports-nothing', '^src/lib/', '^(src/(?!lib/)|config/)', 'lib holds leaf helpers'),
    only(
      'auth',
      '^src/auth/',
      '^(src/(?!auth/|domain/|schemas/|lib/|observability/)|config/)',
      'auth knows no HTTP and no store',
    ),
    only(
      'audit',
      '^src/audit/',
      '^(src/(?!audit/|domain/|lib/|observability/)|config/)',
      'the writer of the audit log is handed the store',
    ),
    only(
      'observability',
      '^src/observability/',
      '^(src/(?!observability/|domain/|lib/)|config/)',
      'logging and metrics are leaves',
    ),
    only(
      'gateway',
      '^src/gateway/',
      '^(src/(?!gateway/|domain/|audit/|auth/|schemas/|observability/|lib/)|config/)',
      'the gateway is handed backends',
    ),
    only('gateway-http', '^src/gateway/http/', '^src/gateway/(?!http/)', 'the frame of HTTP knows no resource'),
    only('gateway-api', '^src/gateway/api/', '^src/gateway/(?!http/|api/)', 'resources stand on the frame alone'),
    {
      name: 'gateway-resources',
      severity: 'error',
      comment: 'what resources of two folders need is in api/shared/',
      from: { path: '^src/gateway/api/([^/]+)/' },
      to: { path: '^src/gateway/api/', pathNot: '^src/gateway/api/($1|shared)/' },
    },
    only(
      'gateway-ingest',
      '^src/gateway/ingest/',
      '^src/gateway/(?!http/|ingest/)',
      'ingestion stands on the frame alone',
    ),
    only('gateway-agents', '^src/gateway/agents/', '^src/gateway/(?!http/|api/|agents/)', 'agents read resources'),
    only('gateway-web', '^src/gateway/web/', '^src/gateway/(?!http/|api/|web/)', 'web JSON presents resources'),
    only('gateway-tools', '^src/gateway/tools/', '^src/gateway/(?!http/|tools/)', 'tools stand on the frame alone'),
    only('gateway-pages', '^src/gateway/pages/', '^src/gateway/(?!http/|api/|pages/)', 'pages know no web JSON'),
    only(
      'integrated',
      '^src/integrated/',
      '^(src/(?!integrated/|domain/|schemas/|lib/|observability/)|config/)',
      'integrated knows no HTTP',
    ),
    only(
      'thirdparty',
      '^src/thirdparty/',
      '^(src/(?!thirdparty/|domain/|schemas/|lib/|observability/)|config/)',
      'thirdparty knows no HTTP server',
    ),
    only(
      'alerts',
      '^src/alerts/',
      '^(src/(?!alerts/|domain/|schemas/|lib/|observability/)|config/)',
      'alerts are handed the store, the guarded client and the links',
    ),
    only(
      'invitations',
      '^src/invitations/',
      '^(src/(?!invitations/|audit/|auth/|domain/|lib/)|config/)',
      'invitations are handed the store, the audit log and what sends mails',
    ),
    only(
      'artifacts',
      '^src/artifacts/',
      '^(src/(?!artifacts/|domain/|lib/|observability/)|config/)',
      'uploads and maps know no HTTP, and are handed the store',
    ),
    only(
      'import',
      '^src/import/',
      '^(src/(?!import/|export/|domain/|integrated/|thirdparty/|schemas/|lib/|observability/)|config/)',
      'import moves history over ports',
    ),
    only(
      'import-started',
      '^(src/(?!import/|compose/|cli/)|config/)',
      '^src/import/',
      'only the command line and the composition start imports',
    ),
    only(
      'alerts-started',
      '^(src/(?!alerts/|compose/|cli/)|config/)',
      '^src/alerts/',
      'only the command line and the composition start alerts',
    ),
    only(
      'storage',
      '^src/storage/',
      '^(src/(?!storage/|domain/|schemas/|lib/)|config/)',
      'storage implements domain ports',
    ),
    only(
      'export',
      '^src/export/',
      '^(src/(?!export/|domain/|lib/)|config/)',
      'an export is handed the store and the grouping',
    ),
    only('config', '^config/', '^src/(?!schemas/|domain/)', 'config is read before anything else'),
    only(
      'compose',
      '^(src/(?!compose/|cli/)|config/)',
      '^src/compose/',
      'only the command line starts the composition',
    ),
    only('only-cli-from-main', '^src/main.ts$', '^src/(?!cli/)', 'main hands over to the command line'),
    lib('koa', '(koa|@koa/router|koa-body)/', '^src/gateway/'),
    lib('common-passwords', '@zxcvbn-ts/', '^src/auth/common-passwords\\.ts'),
    lib('openid-client', '(openid-client|jose)/', '^src/auth/sign-on/'),
    lib('got', 'got/', '^src/thirdparty/http/exchange\\.ts'),
    lib(
      'p-queue',
      'p-queue/',
      '^src/(thirdparty/http/client|artifacts/uploads/fair-queue|integrated/intake/inflate/(inflate-queue|zstd-thread)|import/(side-by-side|join/join-issue)|storage/mongo/(overview/last-seen|lists/errors-that-matter))\\.ts',
    ),
    lib('yauzl', 'yauzl/', '^src/artifacts/bundles/bundle-zip\\.ts'),
    lib('busboy', '@fastify/busboy/', '^src/gateway/tools/form-reader\\.ts'),
    lib('nodemailer', 'nodemailer/', '^src/alerts/mail/'),
    lib('mongoose', 'mongoose/', '^src/storage/mongo/'),
    lib('sqlite', '@photostructure/sqlite/', '^src/storage/sqlite/'),
    lib('ajv', 'ajv/', '^src/schemas/'),
    lib('config', 'config/', '^config/'),
    lib('commander', 'commander/', '^src/cli/'),
    lib('pino', 'pino/', '^src/observability/'),
    lib('prom-client', 'prom-client/', '^src/observability/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
