import { singleCrumb, type Expected, type ExpectedCaptures } from './expected.ts';

const JAVA_TAGS = { runtime: 'Debian 17.0.15', 'runtime.name': 'Debian' };
const java = (crumbAt: string, [first, second]: [string, string], derived: Record<string, string>): Expected[] => {
  const shared = {
    platform: 'java',
    breadcrumbs: singleCrumb(crumbAt),
    email: null,
    ip: '203.0.113.9',
    culprit: 'Cap in main',
  } as const;
  return [
    {
      ...shared,
      title: 'RuntimeException: outer',
      type: 'RuntimeException',
      message: 'outer',
      level: 'error',
      timestamp: first,
      exceptions: [
        ['IllegalStateException', 'bad 12345', ['+ main Cap.java:5', '+ inner Cap.java:2']],
        ['RuntimeException', 'outer', ['+ main Cap.java:5']],
      ],
      derived: { ...JAVA_TAGS, ...derived },
    },
    {
      ...shared,
      title: 'hello world',
      type: null,
      message: 'hello world',
      level: 'info',
      timestamp: second,
      threads: [['+ main Cap.java:6', '- getStackTrace Thread.java:1619']],
      derived: JAVA_TAGS,
    },
  ];
};

const [java6Error, java6Message] = java(
  '2026-11-20T18:38:37.208Z',
  ['2026-11-20T18:38:37.237Z', '2026-11-20T18:38:37.264Z'],
  {},
);
const [java8Error, java8Message] = java(
  '2026-11-20T18:21:35.871Z',
  ['2026-11-20T18:21:35.872Z', '2026-11-20T18:21:35.919Z'],
  { mechanism: 'chained' },
);

export const JAVA_CAPTURES: ExpectedCaptures = {
  'java-6.18.1/01': java6Error,
  'java-6.18.1/02': java6Message,
  'java-6.18.1/03': null,
  'java-6.18.1/04': null,
  'java-8.53.0/01': java8Error,
  'java-8.53.0/02': java8Message,
  'java-8.53.0/03': null,
  'java-8.53.0/04': null,
};
