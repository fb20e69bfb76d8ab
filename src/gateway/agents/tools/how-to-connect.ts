import { decide } from '../../../auth/policy.ts';
import { AppError } from '../../../domain/app-error.ts';
import { buildDsn } from '../../../domain/projects/dsn.ts';
import { projectCallFor, readReference } from '../agent-scope.ts';
import { agentTool } from '../agent-tool.ts';
import { AgentAnswer } from '../texts/agent-answer.ts';
import { project } from './arguments.ts';

interface Platform {
  readonly install: string;
  readonly init: string;
}

/** First steps of SDKs; `DSN` stands for the address. */
const PLATFORMS = {
  node: { install: 'npm install @sentry/node', init: "Sentry.init({ dsn: 'DSN', release: 'app@1.0.0' });" },
  browser: { install: 'npm install @sentry/browser', init: "Sentry.init({ dsn: 'DSN', release: 'app@1.0.0' });" },
  python: { install: 'pip install sentry-sdk', init: "sentry_sdk.init(dsn='DSN', release='app@1.0.0')" },
  go: {
    install: 'go get github.com/getsentry/sentry-go',
    init: 'sentry.Init(sentry.ClientOptions{Dsn: "DSN", Release: "app@1.0.0"})',
  },
  java: { install: 'io.sentry:sentry', init: 'Sentry.init(options -> options.setDsn("DSN"));' },
  php: { install: 'composer require sentry/sentry', init: "\\Sentry\\init(['dsn' => 'DSN']);" },
  ruby: { install: 'gem install sentry-ruby', init: "Sentry.init { |config| config.dsn = 'DSN' }" },
  dotnet: { install: 'dotnet add package Sentry', init: 'SentrySdk.Init(options => options.Dsn = "DSN");' },
} as const satisfies Record<string, Platform>;
const PLATFORM_NAMES = Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[];

export const howToConnect = agentTool({
  name: 'how_to_connect',
  title: 'How to connect an application',
  description:
    'The first steps to send errors of an application to a project. The DSN is in it for maintainers whose token has the scope api.',
  input: {
    type: 'object',
    properties: { project, platform: { type: 'string', enum: PLATFORM_NAMES } },
    required: ['project', 'platform'],
    additionalProperties: false,
  },
  output: { dsn: { type: ['string', 'null'] }, install: { type: 'string' }, init: { type: 'string' } },
  async run(call, { project: named, platform }) {
    const { deps, principal } = call;
    const { project: reference } = readReference({ project: named }, deps.externalUrl());
    const { project: of } = await projectCallFor(call, reference, 'read_project');
    const settings = await deps.store.settings(of.id);
    if (settings?.active !== true)
      throw new AppError('tracking_disabled', 'error tracking is not enabled for this project');
    if (!settings.integrated) {
      throw new AppError('unsupported_by_tracker', 'Applications of this project send to its external tracker.');
    }
    const level = await deps.store.accessLevel(of.id, principal.user.id);
    const mayRead = decide(principal, 'read_keys', of, level) === 'ok';
    const key = mayRead ? (await deps.store.listKeys(of.id)).find(({ active }) => active) : undefined;
    const dsn = key === undefined ? null : buildDsn(deps.externalUrl(), key.publicKey, of.id);
    const { install, init } = PLATFORMS[platform];
    const answer = new AgentAnswer('how_to_connect');
    answer.fact(`To send errors of an application in ${platform} to ${of.path}:`);
    answer.fact(`1. ${install}`);
    answer.fact(`2. ${init.replace('DSN', dsn ?? 'DSN')}`);
    if (dsn === null) {
      answer.fact(
        mayRead
          ? 'The project has no active client key: a maintainer makes one in its settings.'
          : 'Ask a maintainer for the DSN: it is shown to maintainers whose token has the scope api.',
      );
    }
    return answer.finish({ dsn, install, init });
  },
});
