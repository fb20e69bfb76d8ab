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
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { path: '^(src|config)/' },
      to: { path: '^(test|bench|ui|scripts)/' },
    },
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
      'observability',
      '^src/observability/',
      '^(src/(?!observability/|domain/|lib/)|config/)',
      'logging and metrics are leaves',
    ),
    only(
      'gateway',
      '^src/gateway/',
      '^(src/(?!gateway/|domain/|auth/|schemas/|observability/|lib/)|config/)',
      'the gateway is handed backends',
    ),
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
      'storage',
      '^src/storage/',
      '^(src/(?!storage/|domain/|schemas/|lib/)|config/)',
      'storage implements domain ports',
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
    lib('got', 'got/', '^src/thirdparty/exchange\\.ts'),
    lib('p-queue', 'p-queue/', '^src/(thirdparty/client|integrated/intake/inflate-queue)\\.ts'),
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
