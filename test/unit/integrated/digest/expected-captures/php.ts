import { singleCrumb, type Expected, type ExpectedCaptures } from './expected.ts';

const PHP_TAGS = {
  runtime: 'php 8.2.35',
  'runtime.name': 'php',
  os: 'Linux 6.18.44-fc-v657',
  'os.name': 'Linux',
};
const php = (
  lines: [number, number],
  crumbAt: string,
  [first, second]: [string, string],
  logger?: string,
): Expected[] => {
  const derived = { ...PHP_TAGS, ...(logger === undefined ? {} : { logger }) };
  const shared = {
    platform: 'php',
    level: 'error',
    breadcrumbs: singleCrumb(crumbAt),
    ...(logger === undefined ? {} : { logger }),
  } as const;
  return [
    {
      ...shared,
      title: 'RuntimeException: outer',
      culprit: '/php/cap.php in ?',
      type: 'RuntimeException',
      message: 'outer',
      timestamp: first,
      exceptions: [
        [
          'InvalidArgumentException',
          'bad thing 12345',
          [`+  /php/cap.php:${lines[0]}`, `+ inner /php/cap.php:${lines[1]}`],
        ],
        ['RuntimeException', 'outer', [`+  /php/cap.php:${lines[0]}`]],
      ],
      derived: { ...derived, handled: 'yes', mechanism: 'generic' },
    },
    {
      ...shared,
      title: 'hello world',
      culprit: null,
      type: null,
      message: 'hello world',
      timestamp: second,
      derived,
    },
  ];
};

const [php3Error, php3Message] = php(
  [22, 21],
  '2026-11-20T18:41:04.184Z',
  ['2026-11-20T18:41:04.184Z', '2026-11-20T18:41:04.192Z'],
  'php',
);
const [php4Error, php4Message] = php([21, 20], '2026-11-20T18:40:13.875Z', [
  '2026-11-20T18:40:13.875Z',
  '2026-11-20T18:40:13.884Z',
]);

export const PHP_CAPTURES: ExpectedCaptures = {
  'php-3.18.0/01': php3Error,
  'php-3.18.0/02': php3Message,
  'php-4.29.0/01': php4Error,
  'php-4.29.0/02': php4Message,
  'php-4.29.0/03': null,
};
