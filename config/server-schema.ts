/** Settings of the HTTP server, and of who is believed in front of it. */
export const serverSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'host',
    'port',
    'externalUrl',
    'fieldNames',
    'trustedProxies',
    'authHeader',
    'keepAliveTimeoutMs',
    'shutdownTimeoutMs',
  ],
  properties: {
    host: { type: 'string', minLength: 1, description: 'Address to listen on.' },
    port: { type: 'integer', minimum: 0, maximum: 65535, description: 'Port to listen on; 0 picks a free one.' },
    externalUrl: {
      type: ['string', 'null'],
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      'x-expected': 'an address such as https://errors.example.com or https://example.com/errors',
      description: 'Scheme, host, port and optional sub-path that people and SDKs use; null: http://localhost:<port>.',
    },
    fieldNames: {
      enum: ['neutral', 'both'],
      description:
        "both adds the host's original names (sentry_dsn, sentry_external_url, sentry_project_id) in REST and web JSON.",
    },
    trustedProxies: {
      type: 'string',
      description: 'Comma-separated CIDRs whose X-Forwarded headers are believed.',
    },
    authHeader: {
      type: ['string', 'null'],
      pattern: '^[A-Za-z][A-Za-z0-9-]{0,99}$',
      'x-expected': 'the name of a header, such as X-Forwarded-User',
      description: 'Header with which a trusted proxy names the signed-in person; null: none is believed.',
    },
    keepAliveTimeoutMs: {
      type: 'integer',
      minimum: 1000,
      maximum: 3_600_000,
      description: 'Milliseconds. Idle connections are closed after this time. Proxies must close theirs before.',
    },
    shutdownTimeoutMs: {
      type: 'integer',
      minimum: 0,
      maximum: 600_000,
      description: 'Milliseconds. Time to finish open requests and to drain the journal before the process ends.',
    },
  },
} as const;
