import { singleCrumb, type Expected, type ExpectedCaptures } from './expected.ts';

const GO_TAGS = { runtime: 'go go1.19.8', 'runtime.name': 'go', os: 'linux', 'os.name': 'linux' };
const go = (folder: string, crumbAt: string, [first, second, third]: [string, string, string]): Expected[] => {
  const shared = { platform: 'go', derived: GO_TAGS, breadcrumbs: singleCrumb(crumbAt), level: 'error' } as const;
  const file = `/srv/sample/${folder}/app/main.go`;
  return [
    {
      ...shared,
      title: '*fmt.wrapError: outer: bad thing 12345',
      culprit: 'main in main',
      type: '*fmt.wrapError',
      message: 'outer: bad thing 12345',
      timestamp: first,
      exceptions: [
        ['*errors.errorString', 'bad thing 12345', null],
        ['*fmt.wrapError', 'outer: bad thing 12345', [`+ main ${file}:7`]],
      ],
    },
    {
      ...shared,
      title: 'hello world',
      culprit: 'main in main',
      type: null,
      message: 'hello world',
      level: 'info',
      timestamp: second,
      threads: [[`+ main ${file}:8`]],
    },
    {
      ...shared,
      title: 'runtime.plainError: assignment to entry in nil map',
      culprit: 'main in main.func2.1',
      type: 'runtime.plainError',
      message: 'assignment to entry in nil map',
      level: 'fatal',
      timestamp: third,
      exceptions: [
        [
          'runtime.plainError',
          'assignment to entry in nil map',
          [`+ main ${file}:9`, `+ main.func2 ${file}:9`, `+ main.func2.1 ${file}:9`],
        ],
      ],
    },
  ];
};

const [go20Error, go20Message, go20Panic] = go('go20', '2026-11-20T18:38:42.148Z', [
  '2026-11-20T18:38:42.148Z',
  '2026-11-20T18:38:42.148Z',
  '2026-11-20T18:38:42.148Z',
]);
const [go27Error, go27Message, go27Panic] = go('go27', '2026-11-20T18:40:16.195Z', [
  '2026-11-20T18:40:16.195Z',
  '2026-11-20T18:40:16.196Z',
  '2026-11-20T18:40:16.196Z',
]);

export const GO_CAPTURES: ExpectedCaptures = {
  'go-0.20.0/01': go20Error,
  'go-0.20.0/02': go20Message,
  'go-0.20.0/03': go20Panic,
  'go-0.27.0/01': go27Error,
  'go-0.27.0/02': go27Message,
  'go-0.27.0/03': go27Panic,
};
