import { isoTime } from '../../http/iso-time.ts';
import { agentTool } from '../agent-tool.ts';
import { AgentAnswer } from '../texts/agent-answer.ts';

export const whoami = agentTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'The user and the scopes of the access token, and the address of this errgate.',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  output: {
    username: { type: 'string' },
    scopes: { type: 'array', items: { type: 'string' } },
    url: { type: 'string' },
  },
  async run({ principal, deps }) {
    const { user, scopes, token } = principal;
    const answer = new AgentAnswer('whoami');
    const expires = token.expiresAt === null ? 'it does not expire' : `it expires at ${isoTime(token.expiresAt)}`;
    answer.fact(`User ${user.username}${user.admin ? ', an administrator' : ''}.`);
    answer.fact(`Scopes of the token: ${scopes.join(', ')}; ${expires}.`);
    answer.fact(scopes.includes('api') ? 'It may set the status of errors.' : 'It only reads.');
    answer.fact(`errgate ${deps.version} at ${deps.externalUrl()}`);
    return answer.finish({ username: user.username, scopes: [...scopes], url: deps.externalUrl() });
  },
});
