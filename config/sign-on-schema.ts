const name = (description: string) => ({ type: ['string', 'null'], minLength: 1, description }) as const;

/** Schema of `oidc`: sign-in with an OpenID Connect provider, which does not pass the URL guard. */
export const oidcSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'issuer',
    'clientId',
    'clientSecret',
    'name',
    'scopes',
    'groupsClaim',
    'absentGroups',
    'adminGroup',
    'groupRoles',
    'createAccounts',
    'emailDomains',
    'checkMinutes',
    'sessionHours',
    'tokenDays',
  ],
  properties: {
    issuer: {
      type: ['string', 'null'],
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      'x-expected': 'the address of a provider, such as https://sso.example.com/realms/main',
      description: 'Issuer of the OpenID Connect provider; null: people sign in with passwords only.',
    },
    clientId: name('Id of the client that the provider has for errgate.'),
    clientSecret: name('Secret of the client; null: a public client.'),
    name: name('Name of the provider on the sign-in page; null: the host of the issuer.'),
    scopes: {
      type: 'string',
      pattern: '^(\\S+ )*openid( \\S+)*$',
      'x-expected': 'words separated by spaces, one of them openid',
      description: 'Scopes that are asked for.',
    },
    groupsClaim: {
      type: 'string',
      minLength: 1,
      description: 'Claim with the groups of a person: its name, or a path such as realm_access.roles.',
    },
    absentGroups: {
      enum: ['auto', 'keep', 'none'],
      description:
        'What a token without the claim means: keep the roles, or that the person has no groups; auto: none for Keycloak, which leaves out empty claims.',
    },
    adminGroup: name('Group whose members are administrators; a * at its end: all that begin so.'),
    groupRoles: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['group', 'path', 'role'],
        properties: {
          group: { type: 'string', minLength: 1, description: 'Group; a * at its end: all that begin so.' },
          path: {
            type: 'string',
            pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$',
            'x-expected': 'the path of a group or a project, such as shop or shop/api',
            description: 'Path of a group or a project here; the role is in effect in all projects below.',
          },
          role: { enum: ['guest', 'reporter', 'developer', 'maintainer', 'owner'] },
        },
      },
      description: 'Roles by groups of the provider, as a JSON array; the highest one wins.',
    },
    createAccounts: { type: 'boolean', description: 'Create an account at the first sign-in of a person.' },
    emailDomains: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z0-9.-]+$', 'x-expected': 'a domain such as example.com' },
      description:
        'Domains of the verified addresses of people who may sign in; for Google, of their organizations; empty: all.',
    },
    checkMinutes: {
      type: 'integer',
      minimum: 1,
      maximum: 1440,
      description: 'Minutes after which a session is checked at the provider, with its groups.',
    },
    sessionHours: {
      type: 'integer',
      minimum: 1,
      maximum: 8760,
      description: 'Hours after which a session ends that the provider gave no refresh token for.',
    },
    tokenDays: {
      type: 'integer',
      minimum: 0,
      maximum: 3650,
      description: 'Days after the last sign-in at which access tokens of people without a password stop; 0: never.',
    },
  },
} as const;
