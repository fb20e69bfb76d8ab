import type { SourceCall, SourceReply, SourceRoute } from './source-call.ts';
import type { SourceList } from './source-paging.ts';
import type { SourceMember } from './source-records.ts';

type Page = (call: SourceCall, list: SourceList<SourceMember>) => SourceReply;

/** Members of an organization, invited ones included. */
export function memberRoute(
  page: Page,
  size: SourceList<SourceMember>['size'],
  params: SourceRoute['params'],
): SourceRoute {
  return {
    path: '/api/0/organizations/:o/members/',
    scopes: ['member:read', 'member:admin'],
    params,
    answer: (call) =>
      page(call, {
        rows: call.world.members,
        score: null,
        render: ({ email, name, role }) => ({
          id: '1',
          email,
          name,
          user: name === email ? null : { id: '1', name, email, username: email, isActive: true },
          role,
          orgRole: role,
          roleName: role,
          pending: name === email,
          expired: false,
          dateCreated: '2024-01-01T00:00:00.000Z',
        }),
        size,
      }),
  };
}
