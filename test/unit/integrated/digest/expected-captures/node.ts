import { singleCrumb, type ExpectedCaptures } from './expected.ts';

const NODE_INTERNALS = (entry: string) => [
  `- ${entry} node:internal/main/run_main_module:28`,
  '- Function.executeUserEntryPoint [as runMain] node:internal/modules/run_main:164',
  '- Module._load node:internal/modules/cjs/loader:1091',
  '- Module.load node:internal/modules/cjs/loader:1266',
  '- Module._extensions..js node:internal/modules/cjs/loader:1623',
  '- Module._compile node:internal/modules/cjs/loader:1521',
];
const NODE_CHAIN = (anonymous: string): [string, string, string[]][] => [
  [
    'TypeError',
    'bad thing 12345',
    [...NODE_INTERNALS(anonymous), `+ Object.${anonymous} /srv/sample/node.js:5`, '+ inner /srv/sample/node.js:4'],
  ],
  ['Error', 'outer', [...NODE_INTERNALS(anonymous), `+ Object.${anonymous} /srv/sample/node.js:5`]],
];
const NODE_TAGS = {
  runtime: 'node v20.20.2',
  'runtime.name': 'node',
  os: 'Debian 12.11',
  'os.name': 'Debian',
};
const NODE_MESSAGE = { title: 'hello world', type: null, message: 'hello world', level: 'info', platform: 'node' };
const NODE_ERROR = { title: 'Error: outer', type: 'Error', message: 'outer', level: 'error', platform: 'node' };
const NODE_BIG = (anonymous: string) => ({
  title: 'Error: big',
  culprit: `${anonymous}(node)`,
  type: 'Error',
  message: 'big',
  level: 'error',
  platform: 'node',
  exceptions: [
    [
      'Error',
      'big',
      [
        '- process.processTicksAndRejections node:internal/process/task_queues:95',
        `+ ${anonymous} /srv/sample/node.js:7`,
      ],
    ] satisfies [string, string, string[]],
  ],
  derived: { ...NODE_TAGS, handled: 'yes', mechanism: 'generic' },
  notes: ['extra: truncated'],
});

export const NODE_CAPTURES: ExpectedCaptures = {
  'node-10.22.0/01': null,
  'node-10.22.0/02': {
    ...NODE_MESSAGE,
    culprit: null,
    timestamp: '2026-11-20T18:19:41.650Z',
    breadcrumbs: singleCrumb('2026-11-20T18:19:41.637Z'),
    derived: NODE_TAGS,
  },
  'node-10.22.0/03': null,
  'node-10.22.0/04': {
    ...NODE_ERROR,
    culprit: 'Object.?(node)',
    timestamp: '2026-11-20T18:19:41.639Z',
    exceptions: NODE_CHAIN('?'),
    breadcrumbs: singleCrumb('2026-11-20T18:19:41.637Z'),
    derived: { ...NODE_TAGS, handled: 'yes', mechanism: 'generic' },
  },
  'node-10.22.0/05': {
    ...NODE_BIG('?'),
    timestamp: '2026-11-20T18:19:41.697Z',
    breadcrumbs: singleCrumb('2026-11-20T18:19:41.637Z'),
  },
  'node-10.22.0/06': null,
  'node-10.22.0/07': null,
  'node-11.12.0/01': null,
  'node-11.12.0/02': {
    ...NODE_ERROR,
    culprit: 'Object.?(node)',
    timestamp: '2026-11-20T18:19:42.181Z',
    exceptions: NODE_CHAIN('?'),
    breadcrumbs: singleCrumb('2026-11-20T18:19:42.179Z'),
    derived: { ...NODE_TAGS, handled: 'yes', mechanism: 'generic' },
  },
  'node-11.12.0/03': {
    ...NODE_MESSAGE,
    culprit: 'Object.?(node)',
    timestamp: '2026-11-20T18:19:42.184Z',
    exceptions: [[null, 'hello world', [...NODE_INTERNALS('?'), '+ Object.? /srv/sample/node.js:6']]],
    breadcrumbs: singleCrumb('2026-11-20T18:19:42.179Z'),
    derived: { ...NODE_TAGS, handled: 'yes', mechanism: 'generic' },
  },
  'node-11.12.0/04': {
    ...NODE_BIG('?'),
    timestamp: '2026-11-20T18:19:42.235Z',
    breadcrumbs: singleCrumb('2026-11-20T18:19:42.179Z'),
  },
  'node-11.12.0/05': null,
  'node-11.12.0/06': null,
  'node-7.38.0/01': null,
  'node-7.38.0/02': {
    ...NODE_MESSAGE,
    culprit: null,
    timestamp: '2026-11-20T18:35:55.200Z',
    breadcrumbs: singleCrumb('2026-11-20T18:35:55.196Z'),
    derived: NODE_TAGS,
  },
  'node-7.38.0/03': null,
  'node-7.38.0/04': {
    ...NODE_ERROR,
    culprit: 'Object.<anonymous>(node)',
    timestamp: '2026-11-20T18:35:55.198Z',
    exceptions: NODE_CHAIN('<anonymous>'),
    breadcrumbs: singleCrumb('2026-11-20T18:35:55.196Z'),
    derived: { ...NODE_TAGS, handled: 'yes', mechanism: 'generic' },
  },
  'node-7.38.0/05': {
    ...NODE_BIG('<anonymous>'),
    timestamp: '2026-11-20T18:35:55.241Z',
    breadcrumbs: singleCrumb('2026-11-20T18:35:55.196Z'),
  },
};
