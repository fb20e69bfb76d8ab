import type { FromSchema } from 'json-schema-to-ts';
import { limitsSchema } from './limits-schema.ts';
import { invitationsSchema, mailSchema } from './mail-schema.ts';
import { names, scrubbingSchema } from './scrubbing-schema.ts';
import { serverSchema } from './server-schema.ts';
import { oidcSchema } from './sign-on-schema.ts';

const milliseconds = (description: string, minimum: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, description: `Milliseconds. ${description}` }) as const;

/** A size in bytes: a number, or a text such as `4GiB`, `500MB`, `1048576` (see `config/byte-size.ts`). */
const bytes = (description: string, minimum: number) =>
  ({ type: 'integer', minimum, maximum: Number.MAX_SAFE_INTEGER, description }) as const;

/**
 * Every setting with unit, default (in `default.json`) and meaning. Compiled once; all problems of a
 * configuration are reported together and stop the start.
 */
export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'server',
    'dataDir',
    'bootstrap',
    'secretKey',
    'secretKeyPrevious',
    'store',
    'artifacts',
    'integrated',
    'intake',
    'limits',
    'journal',
    'forward',
    'scrubbing',
    'sessions',
    'passwordSignIn',
    'oidc',
    'outbound',
    'mail',
    'invitations',
    'thirdparty',
    'selfMonitoring',
    'metrics',
    'log',
  ],
  properties: {
    server: serverSchema,
    dataDir: {
      type: 'string',
      minLength: 1,
      description: 'Folder of journal, embedded store, keys; created with mode 0700.',
    },
    bootstrap: {
      type: 'boolean',
      description: 'Create the first administrator, project, token and key in an empty store.',
    },
    secretKey: {
      type: ['string', 'null'],
      pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$',
      'x-expected': '32 bytes, as 64 hex digits or 44 base64 characters',
      description: '32 bytes as hex or base64; encrypts third-party tokens at rest. Null: a key file in the data dir.',
    },
    secretKeyPrevious: {
      type: ['string', 'null'],
      pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$',
      'x-expected': '32 bytes, as 64 hex digits or 44 base64 characters',
      description:
        'Second key, used only to decrypt while keys are changed: the previous or the next one. Needs secretKey.',
    },
    store: {
      type: 'object',
      additionalProperties: false,
      required: ['url', 'waitForMigration', 'retentionDays', 'maxEventsPerError', 'auditDays', 'maxBytes'],
      properties: {
        url: {
          type: 'string',
          pattern: '^(sqlite:(/.+)?|mongodb(\\+srv)?://\\S+)$',
          'x-expected':
            'sqlite: (a file in the data dir), sqlite:/absolute/file, mongodb://user:password@host:port/database or mongodb+srv://user:password@host/database',
          description:
            '`sqlite:` (in the data dir), `sqlite:/absolute/file`, `mongodb://…` or `mongodb+srv://…` (needs secretKey).',
        },
        waitForMigration: {
          type: 'boolean',
          description: 'Start on a database of an older schema, and wait for `errgate migrate`; events are accepted.',
        },
        retentionDays: {
          type: 'integer',
          minimum: 1,
          maximum: 36500,
          description: 'Days after which stored events are removed; counts stay.',
        },
        auditDays: {
          type: 'integer',
          minimum: 1,
          maximum: 36500,
          description: 'Days after which events of the audit log are removed.',
        },
        maxEventsPerError: {
          type: 'integer',
          minimum: 0,
          description: 'Maximum number of stored events per error; 0: no limit; counts stay.',
        },
        maxBytes: bytes('Size of the store above which the oldest events are removed; 0: no limit.', 0),
      },
    },
    artifacts: {
      type: 'object',
      additionalProperties: false,
      required: ['unusedDays', 'projectMaxBytes'],
      properties: {
        unusedDays: {
          type: 'integer',
          minimum: 1,
          maximum: 36500,
          description: 'Days after which an upload of a build tool that mapped no frame is removed.',
        },
        projectMaxBytes: bytes(
          'Size of the uploads of a project above which the least recently used are removed.',
          1024 * 1024,
        ),
      },
    },
    integrated: {
      type: 'object',
      additionalProperties: false,
      required: ['enabled', 'inAppInclude', 'inAppExclude'],
      properties: {
        enabled: { type: 'boolean', description: 'Whether the integrated backend is offered.' },
        inAppInclude: names('Module or path prefixes that are always application code.'),
        inAppExclude: names('Module or path prefixes that are never application code.'),
      },
    },
    intake: {
      type: 'object',
      additionalProperties: false,
      required: [
        'maxRequestBytes',
        'maxInflatedBytes',
        'maxEventBytes',
        'bodyTimeoutMs',
        'maxRequestsInFlight',
        'announceNeverKept',
      ],
      properties: {
        maxRequestBytes: bytes('Request body as it comes over the wire; beyond: 413.', 1024),
        maxInflatedBytes: bytes('Request body after decompression; beyond: 413.', 1024),
        maxEventBytes: bytes('One event, inflated; beyond: 413.', 1024),
        bodyTimeoutMs: milliseconds('Maximum time for receiving the whole body.', 100, 600_000),
        maxRequestsInFlight: {
          type: 'integer',
          minimum: 1,
          maximum: 1e6,
          description: 'Requests of SDKs that are being read or written; beyond: 503.',
        },
        announceNeverKept: {
          type: 'boolean',
          description: 'Tell SDKs in every answer which categories are never kept, so that they do not send them.',
        },
      },
    },
    limits: limitsSchema,
    journal: {
      type: 'object',
      additionalProperties: false,
      required: ['durability', 'maxBytes', 'minFreeDiskBytes', 'batchGatherMs'],
      properties: {
        durability: {
          enum: ['power-loss', 'process-crash'],
          description: 'What an acknowledged event survives; power-loss syncs the disk before each answer.',
        },
        maxBytes: bytes('Journal on disk; beyond: ingestion answers 503.', 65536),
        minFreeDiskBytes: bytes('Free disk below which ingestion answers 503.', 0),
        batchGatherMs: milliseconds('Time between the starts of two digest batches while few records wait.', 0, 10_000),
      },
    },
    forward: {
      type: 'object',
      additionalProperties: false,
      required: ['maxBytes', 'maxHours'],
      properties: {
        maxBytes: bytes('Requests on disk that wait to be forwarded; beyond: the oldest are dropped.', 1_048_576),
        maxHours: {
          type: 'integer',
          minimum: 1,
          maximum: 720,
          description: 'Hours after receipt at which a request that waits to be forwarded is dropped.',
        },
      },
    },
    scrubbing: scrubbingSchema,
    sessions: {
      type: 'object',
      additionalProperties: false,
      required: ['idleMinutes', 'maxMinutes', 'secondFactorRequired'],
      properties: {
        idleMinutes: {
          type: 'integer',
          minimum: 1,
          maximum: 525600,
          description: 'Minutes without any request after which a browser has to sign in again.',
        },
        maxMinutes: {
          type: 'integer',
          minimum: 1,
          maximum: 525600,
          description: 'Minutes after which a browser has to sign in again in any case.',
        },
        secondFactorRequired: {
          type: 'boolean',
          description: 'Whether everybody who signs in with a password must set up a second factor.',
        },
      },
    },
    passwordSignIn: {
      type: 'boolean',
      description: 'Whether people sign in with passwords; false: only those of `errgate user allow-password`.',
    },
    oidc: oidcSchema,
    outbound: {
      type: 'object',
      additionalProperties: false,
      required: ['allow', 'onlyAllowed'],
      properties: {
        allow: {
          type: 'string',
          description:
            'Comma-separated hosts, host:port, IPs or CIDRs of external trackers, webhooks and chats that are allowed although they are local.',
        },
        onlyAllowed: { type: 'boolean', description: 'Allow only the destinations of the allow-list.' },
      },
    },
    mail: mailSchema,
    invitations: invitationsSchema,
    thirdparty: {
      type: 'object',
      additionalProperties: false,
      required: ['cacheMaxBytes', 'freshSeconds', 'maxStaleSeconds', 'answerNotReady'],
      properties: {
        cacheMaxBytes: bytes('Memory for cached answers of external trackers.', 65536),
        freshSeconds: {
          type: 'integer',
          minimum: 1,
          maximum: 3600,
          description: 'Seconds for which a copy is served without asking the tracker again.',
        },
        maxStaleSeconds: {
          type: 'integer',
          minimum: 0,
          maximum: 604800,
          description: 'Age in seconds up to which a copy is served, marked, while the tracker fails.',
        },
        answerNotReady: {
          type: 'boolean',
          description: 'Web JSON answers 204 where the tracker has to be asked first, and pages ask again.',
        },
      },
    },
    selfMonitoring: {
      type: 'object',
      additionalProperties: false,
      required: ['dsn'],
      properties: {
        dsn: {
          type: ['string', 'null'],
          pattern: '^https?://\\w+(:\\w+)?@[^\\s/?#@]+(/[^\\s?#]*)?/\\d+$',
          'x-expected': 'a DSN, https://public_key@host/project_id',
          description: 'Where errgate reports its own errors to; null: nowhere.',
        },
      },
    },
    metrics: {
      type: 'object',
      additionalProperties: false,
      required: ['token'],
      properties: {
        token: {
          type: ['string', 'null'],
          minLength: 8,
          description: 'Bearer token for /-/metrics from elsewhere than loopback.',
        },
      },
    },
    log: {
      type: 'object',
      additionalProperties: false,
      required: ['level', 'format'],
      properties: {
        level: {
          enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
          description: 'Lowest level that is logged.',
        },
        format: { enum: ['auto', 'json', 'pretty'], description: 'auto: pretty on a terminal, else JSON lines.' },
      },
    },
  },
} as const;

type DeepReadonly<T> = T extends (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type Config = DeepReadonly<FromSchema<typeof configSchema>>;
