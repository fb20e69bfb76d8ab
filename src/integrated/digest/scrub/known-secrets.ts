/** Secret of a known shape, found at any place and under any name. */
interface KnownSecret {
  readonly name: string;
  /** Page of the maker that documents the shape. */
  readonly source: string;
  /** Source of a regular expression without capturing groups. Every repeat that the shape does not end is bounded. */
  readonly pattern: string;
  /** Beginning of the secret as a regular expression without quantifiers. Only texts that contain it are searched. */
  readonly begins: string;
}

/**
 * Returns true when `begins` ends with a character that is rare in texts. Each of its alternatives must end with it
 * then.
 */
export function endsRare({ begins }: KnownSecret): boolean {
  return /[_J-]$/.test(begins);
}

export const KNOWN_SECRETS: readonly KnownSecret[] = [
  {
    name: 'JSON Web Token',
    source: 'https://www.rfc-editor.org/rfc/rfc7519#section-3.1',
    pattern: String.raw`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}`,
    begins: 'eyJ',
  },
  {
    name: 'AWS access key id',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids',
    pattern: 'A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
    begins: 'AKIA|ASIA',
  },
  {
    name: 'GitHub token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats',
    pattern: String.raw`gh[oprsu]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}`,
    begins: 'gh[oprsu]_|github_pat_',
  },
  {
    name: 'GitLab token',
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
    pattern: String.raw`gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rtr?|soat|wt)-[\w.-]{20,300}`,
    begins: 'gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|rtr|soat|wt)-',
  },
  {
    name: 'token of build tools',
    source: 'https://docs.sentry.io/account/auth-tokens/',
    pattern: String.raw`sntry[su]_[\w+/=-]{20,1000}`,
    begins: 'sntry[su]_',
  },
  {
    name: 'Slack token',
    source: 'https://docs.slack.dev/authentication/tokens',
    pattern: 'xox[abeoprs](?:[.-]xox[bp])?-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{10,255}',
    begins: 'xapp-|xox[abeoprs]',
  },
  {
    name: 'Slack webhook',
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    pattern: String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{16,255}`,
    begins: String.raw`hooks\.slack\.com`,
  },
  {
    name: 'Stripe key',
    source: 'https://docs.stripe.com/keys',
    pattern: '[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}',
    begins: '[rs]k_(?:live|test)_',
  },
  {
    name: 'Stripe webhook secret',
    source: 'https://docs.stripe.com/webhooks/signature',
    pattern: 'whsec_[A-Za-z0-9+/]{24,255}={0,2}',
    begins: 'whsec_',
  },
  {
    name: 'Google API key',
    source: 'https://docs.cloud.google.com/docs/authentication/api-keys',
    pattern: String.raw`AIza[\w-]{35}(?![\w-])`,
    begins: 'AIza',
  },
  {
    name: 'npm token',
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    pattern: 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])',
    begins: 'npm_',
  },
  {
    name: 'SendGrid API key',
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    pattern: String.raw`SG\.[\w-]{16,64}\.[\w-]{16,64}`,
    begins: String.raw`SG\.`,
  },
  {
    name: 'DigitalOcean token',
    source: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    pattern: 'do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])',
    begins: 'do[opr]_v1_',
  },
];
