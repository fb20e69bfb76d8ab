/** Least that must be set. */
export const BASE = {
  externalUrl: 'https://errors.example.com',
  image: { repository: 'registry.example.com/errgate' },
};
/** Where a secret comes from. */
const SECRET = (key: string) => ({ existingSecret: 'given', key });
export const ON_MONGODB = {
  ...BASE,
  replicaCount: 3,
  secrets: { mongodbUri: SECRET('uri'), secretKey: SECRET('key') },
};
export const EVERY_SECRET = Object.fromEntries(
  ['mongodbUri', 'secretKey', 'secretKeyPrevious', 'mailUrl', 'oidcClientSecret', 'metricsToken'].map((name) => [
    name,
    SECRET(name.toLowerCase()),
  ]),
);

/** Values that people set, and that the chart takes. */
export const TAKEN: Readonly<Record<string, object>> = {
  'the address alone': BASE,
  'three gateways on MongoDB': ON_MONGODB,
  'no gateway': { ...BASE, replicaCount: 0 },
  'a stop for maintenance': { ...BASE, maintenance: true },
  'every secret': { ...BASE, secrets: EVERY_SECRET },
  'an Ingress below a path': {
    ...BASE,
    externalUrl: 'https://example.com/errors/',
    ingress: { enabled: true, className: 'nginx', tlsSecretName: 'cert', annotations: { a: 'b' } },
  },
  'a route of a Gateway': { ...BASE, httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } },
  'a Prometheus operator': {
    ...BASE,
    secrets: { metricsToken: SECRET('token') },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  },
  'settings and a file': {
    ...BASE,
    settings: {
      ERRGATE_ARTIFACT_MAX_BYTES: 5_368_709_120,
      ERRGATE_BOOTSTRAP: false,
      ERRGATE_TRUSTED_PROXIES: '10.0.0.0/8',
    },
    config: { limits: { projects: { 'demo/shop': { key: { eventsPerMinute: 6000 } } } } },
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.pem' }],
    extraVolumes: [{ name: 'ca', secret: { secretName: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/ca' }],
  },
  'everything for the scheduler': {
    ...ON_MONGODB,
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'errors', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'high',
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }],
    podLabels: { team: 'a' },
    podAnnotations: { note: 'b' },
    imagePullSecrets: [{ name: 'pull' }],
  },
  'people named by a header of the proxy': {
    ...BASE,
    settings: { ERRGATE_AUTH_HEADER: 'X-User', ERRGATE_TRUSTED_PROXIES: '10.0.0.5' },
    networkPolicy: { ingressFrom: [{ podSelector: { matchLabels: { app: 'proxy' } } }] },
  },
  'a host in capitals': { ...BASE, externalUrl: 'https://Errors.Example.com/a', ingress: { enabled: true } },
  'labels of the chart': { ...BASE, podLabels: { 'app.kubernetes.io/name': 'other', team: 'a' } },
  'an image by its digest': { ...BASE, image: { ...BASE.image, digest: `sha256:${'a'.repeat(64)}` } },
  'no policies': { ...BASE, networkPolicy: { enabled: false }, podDisruptionBudget: { enabled: false } },
  'one class of volumes': {
    ...BASE,
    persistence: { storageClassName: 'fast', size: '100Gi', accessMode: 'ReadWriteOncePod', annotations: { a: 'b' } },
  },
  'rights that the cluster chooses': {
    ...BASE,
    podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null },
    serviceAccount: { create: false },
  },
  'a long name': { ...BASE, fullnameOverride: 'a'.repeat(80) },
};

/** Values that the chart refuses, and what it says. */
export const REFUSED: Readonly<Record<string, readonly [object, RegExp]>> = {
  'no address': [{ image: BASE.image }, /set externalUrl to the address that people and SDKs use/],
  'no image': [{ externalUrl: BASE.externalUrl }, /set image\.repository to the registry and name/],
  'two gateways on SQLite': [
    { ...BASE, replicaCount: 2 },
    /replicaCount is 2, but the embedded store \(SQLite\) serves one gateway: set replicaCount to 1, or name a Secret/,
  ],
  'MongoDB without a key': [
    { ...BASE, secrets: { mongodbUri: SECRET('uri') } },
    /gateways on MongoDB need the same key: name a Secret with it in secrets\.secretKey\.existingSecret/,
  ],
  'a former key without a key': [
    { ...BASE, secrets: { secretKeyPrevious: SECRET('k') } },
    /name a Secret with the new key/,
  ],
  'a scrape without a token': [
    { ...BASE, serviceMonitor: { enabled: true } },
    /serviceMonitor reads metrics with a token/,
  ],
  'a route without a Gateway': [{ ...BASE, httpRoute: { enabled: true } }, /httpRoute needs the Gateways that take it/],
  'a variable twice': [
    { ...BASE, settings: { ERRGATE_LOG_LEVEL: 'warn' }, extraEnv: [{ name: 'ERRGATE_LOG_LEVEL', value: 'debug' }] },
    /the variable ERRGATE_LOG_LEVEL is set twice, as ERRGATE_LOG_LEVEL and ERRGATE_LOG_LEVEL/,
  ],
  'a variable and its file': [
    { ...BASE, settings: { ERRGATE_MAIL_FROM: 'a@b.c' }, extraEnv: [{ name: 'ERRGATE_MAIL_FROM_FILE', value: '/a' }] },
    /the variable ERRGATE_MAIL_FROM is set twice, as ERRGATE_MAIL_FROM and ERRGATE_MAIL_FROM_FILE/,
  ],
  'a folder of files beside its own': [
    { ...BASE, config: { log: { level: 'warn' } }, extraEnv: [{ name: 'ERRGATE_CONFIG_DIR', value: '/a' }] },
    /the variable ERRGATE_CONFIG_DIR is set twice/,
  ],
  'people named by a header of any Pod': [
    { ...BASE, settings: { ERRGATE_AUTH_HEADER: 'X-User', ERRGATE_TRUSTED_PROXIES: '10.0.0.0/8' } },
    /every Pod at a trusted address could sign in as anybody: name the Pods of the proxy in networkPolicy\.ingressFrom/,
  ],
  'an Ingress for an address': [
    { ...BASE, externalUrl: 'https://192.0.2.1:8443', ingress: { enabled: true } },
    /an Ingress and a route need the name of a host, and externalUrl has the address 192\.0\.2\.1/,
  ],
  'a name that no Service may have': [{ ...BASE, fullnameOverride: 'errors.example' }, /fullnameOverride/],
  'a misspelt value': [{ ...BASE, replicas: 2 }, /additional properties 'replicas' not allowed/],
  'an unknown setting': [
    { ...BASE, settings: { ERRGATE_PROT: 1 } },
    /additional properties 'ERRGATE_PROT' not allowed/,
  ],
};
