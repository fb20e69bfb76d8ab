import type { Expected, ExpectedCaptures } from './expected.ts';

const PYTHON_TAGS = { runtime: 'CPython 3.11.7', 'runtime.name': 'CPython' };
const pythonChain = (file: string, derived: Record<string, string>) => ({
  title: 'ValueError: outer',
  culprit: '__main__ in <module>',
  type: 'ValueError',
  message: 'outer',
  level: 'error',
  platform: 'python',
  exceptions: [
    ['KeyError', "'missing-5'", [`+ <module> ${file}:9`, `+ inner ${file}:7`]],
    ['ValueError', 'outer', [`+ <module> ${file}:10`]],
  ] satisfies [string, string, string[]][],
  derived: { ...PYTHON_TAGS, handled: 'yes', mechanism: 'generic', ...derived },
});
const pythonLog = {
  title: 'user bob failed 3',
  culprit: null,
  type: null,
  message: 'user bob failed 3',
  level: 'error',
  platform: 'python',
  derived: { ...PYTHON_TAGS, logger: 'my.logger' },
  logger: 'my.logger',
  logentry: { message: 'user %s failed %d', params: ['bob', 3] },
};
const pythonMessage = {
  title: 'hello world',
  culprit: null,
  type: null,
  message: 'hello world',
  level: 'info',
  platform: 'python',
  derived: PYTHON_TAGS,
};
const pythonCrumb = (at: string): NonNullable<Expected['breadcrumbs']> => [[at, 'log', 'error', 'user bob failed 3']];

export const PYTHON_CAPTURES: ExpectedCaptures = {
  'python-1.21.0/01': { ...pythonChain('py121.py', {}), timestamp: '2026-11-20T18:35:57.687Z' },
  'python-1.21.0/02': { ...pythonLog, timestamp: '2026-11-20T18:35:57.767Z' },
  'python-1.21.0/03': {
    ...pythonMessage,
    timestamp: '2026-11-20T18:35:57.767Z',
    breadcrumbs: pythonCrumb('2026-11-20T18:35:57.766Z'),
  },
  'python-1.21.0/04': {
    ...pythonChain('py121.py', {}),
    title: 'ExceptionGroup: eg (2 sub-exceptions)',
    type: 'ExceptionGroup',
    message: 'eg (2 sub-exceptions)',
    timestamp: '2026-11-20T18:35:57.768Z',
    exceptions: [['ExceptionGroup', 'eg (2 sub-exceptions)', ['+ <module> py121.py:14']]],
    breadcrumbs: pythonCrumb('2026-11-20T18:35:57.766Z'),
  },
  'python-1.21.0/05': null,
  'python-2.68.0/01': { ...pythonChain('py.py', {}), timestamp: '2026-11-20T18:20:17.739Z' },
  'python-2.68.0/02': { ...pythonLog, timestamp: '2026-11-20T18:20:17.741Z' },
  'python-2.68.0/03': {
    ...pythonMessage,
    timestamp: '2026-11-20T18:20:17.741Z',
    breadcrumbs: pythonCrumb('2026-11-20T18:20:17.741Z'),
  },
  'python-2.68.0/04': {
    ...pythonChain('py.py', {}),
    title: 'ExceptionGroup: eg',
    type: 'ExceptionGroup',
    message: 'eg',
    timestamp: '2026-11-20T18:20:17.742Z',
    exceptions: [
      ['TypeError', 'b', null],
      ['ValueError', 'a', null],
      ['ExceptionGroup', 'eg', ['+ <module> py.py:14']],
    ],
    breadcrumbs: pythonCrumb('2026-11-20T18:20:17.741Z'),
  },
  'python-2.68.0/05': null,
  'python-2.68.0/06': null,
};
