import { singleCrumb, type ExpectedCaptures } from './expected.ts';

const RUBY_TAGS = {
  runtime: 'ruby3.1 ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]',
  'runtime.name': 'ruby3.1',
  os: 'Linux #1 SMP PREEMPT_DYNAMIC @0',
  'os.name': 'Linux',
};
const rubyError = { title: 'RuntimeError: outer', type: 'RuntimeError', message: 'outer', level: 'error' } as const;
const rubyMessage = {
  title: 'hello world',
  culprit: null,
  type: null,
  message: 'hello world',
  level: 'error',
} as const;

export const RUBY_CAPTURES: ExpectedCaptures = {
  'ruby-5.9.0/01': {
    ...rubyError,
    platform: 'ruby',
    culprit: 'cap.rb in rescue in <top (required)>',
    timestamp: '2026-11-20T18:38:44.000Z',
    exceptions: [
      [
        'ArgumentError',
        'bad thing 12345',
        ['- <main> -e:1', '- load -e:1', '- <top (required)> cap.rb:6', '- inner cap.rb:5'],
      ],
      [
        'RuntimeError',
        'outer',
        ['- <main> -e:1', '- load -e:1', '- <top (required)> cap.rb:6', '- rescue in <top (required)> cap.rb:6'],
      ],
    ],
    threads: [[]],
    breadcrumbs: singleCrumb('2026-11-20T18:38:44.000Z'),
    derived: RUBY_TAGS,
  },
  'ruby-5.9.0/02': {
    ...rubyMessage,
    platform: 'ruby',
    timestamp: '2026-11-20T18:38:44.000Z',
    threads: [
      [
        '- <main> -e:1',
        '- load -e:1',
        '- <top (required)> cap.rb:7',
        '- capture_message sentry-ruby.rb:422',
        '- capture_message sentry/hub.rb:148',
      ],
    ],
    breadcrumbs: singleCrumb('2026-11-20T18:38:44.000Z'),
    derived: RUBY_TAGS,
  },
  'ruby-5.9.0/03': null,
  'ruby-6.6.2/01': {
    ...rubyError,
    platform: 'ruby',
    culprit: 'cap.rb in rescue in <main>',
    timestamp: '2026-11-20T18:39:10.000Z',
    exceptions: [
      ['ArgumentError', 'bad thing 12345', ['- <main> cap.rb:6', '- inner cap.rb:5']],
      ['RuntimeError', 'outer', ['- <main> cap.rb:6', '- rescue in <main> cap.rb:6']],
    ],
    threads: [[]],
    breadcrumbs: singleCrumb('2026-11-20T18:39:10.000Z'),
    derived: { ...RUBY_TAGS, handled: 'yes', mechanism: 'generic' },
  },
  'ruby-6.6.2/02': {
    ...rubyMessage,
    platform: 'ruby',
    timestamp: '2026-11-20T18:39:10.000Z',
    threads: [['- <main> cap.rb:7', '- capture_message sentry-ruby.rb:457', '- capture_message sentry/hub.rb:195']],
    breadcrumbs: singleCrumb('2026-11-20T18:39:10.000Z'),
    derived: RUBY_TAGS,
  },
  'ruby-6.6.2/03': null,
};
