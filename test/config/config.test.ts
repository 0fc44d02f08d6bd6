import { describe, expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { type Config, ConfigError, loadConfig } from '../../src/config/config.ts'
import { DatabaseUrl } from '../../src/config/databaseUrl.ts'
import { weaknessesOf } from '../../src/config/weaknesses.ts'

const noBackups = { dir: null, every: { everyMs: 24 * hourMs }, keep: 7, bucket: null }

describe('without any setting', () => {
  const config = loadConfig({})

  test('everything has a default that works', () => {
    const { sendWorkers, ...rest } = config
    expect(rest).toEqual({
      given: {},
      misnamed: [],
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('data'),
      databasePath: resolve('data/waypost.db'),
      databaseUrl: null,
      publicUrl: null,
      owner: null,
      secretKey: null,
      secretKeyFile: null,
      hasGraphApi: false,
      keyRateLimit: 300,
      ipRateLimit: 100,
      ownerWorkspacesMax: 3,
      trustProxy: [],
      idempotencyTtlMs: 24 * hourMs,
      sendWaitMs: 10_000,
      sendQueueMax: 10_000,
      channelApiUrl: 'https://graph.facebook.com',
      channelApiVersion: 'v25.0',
      channelTimeoutMs: 30_000,
      templateSyncMs: 10 * minuteMs,
      scheduleLateMs: 60 * minuteMs,
      unknownSettleMs: 72 * hourMs,
      mediaAllowedNetworks: [],
      webhookAllowedNetworks: [],
      contentRetentionMs: 30 * 24 * hourMs,
      messageRetentionMs: null,
      eventRetentionMs: 30 * 24 * hourMs,
      media: { retentionMs: 30 * 24 * hourMs, storageBytesMax: 5 * 2 ** 30, bucket: null },
      metricsPort: null,
      metricsToken: null,
      backup: noBackups,
      tracesUrl: null,
      tracesHeaders: {},
      systemd: null,
      sudoUser: null,
      logLevel: 'info',
      logFormat: 'auto',
    })
    expect(sendWorkers).toBeWithin(1, 5)
  })

  test('it cannot be changed', () => {
    expect(Object.isFrozen(config)).toBe(true)
    expect(() => Object.assign(config, { port: 1 })).toThrow()
  })

  test('an empty value, or one of white space, counts as not set', () => {
    const names = ['HOST', 'PORT', 'DATA_DIR', 'SECRET_KEY', 'PUBLIC_URL', 'TRUST_PROXY', 'LOG_LEVEL', 'SEND_WAIT_MS']
    const blank = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? '' : '  ']))
    expect(loadConfig(blank)).toEqual(config)
  })
})

describe('each setting', () => {
  const cidr = (address: string, prefix: number, family: 'ipv4' | 'ipv6' = 'ipv4') => ({ address, prefix, family })
  const good: readonly [name: string, value: string, expected: Partial<Config>][] = [
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['DATA_DIR', '/var/lib/waypost', { dataDir: '/var/lib/waypost', databasePath: '/var/lib/waypost/waypost.db' }],
    ['DATABASE_PATH', '/srv/w.db', { databasePath: '/srv/w.db' }],
    ['DATABASE_URL', 'postgres://u:p@db/a', { databaseUrl: new DatabaseUrl('postgres://u:p@db/a') }],
    ['PUBLIC_URL', 'https://w.example.com/', { publicUrl: 'https://w.example.com' }],
    ['SECRET_KEY', 'sixteen letters!', { secretKey: 'sixteen letters!' }],
    ['SECRET_KEY_FILE', '/run/secrets/key', { secretKeyFile: '/run/secrets/key' }],
    ['GRAPH_API', 'on', { hasGraphApi: true }],
    ['PUBLIC_API_KEY_RATE_LIMIT', '0', { keyRateLimit: 0 }],
    ['PUBLIC_IP_RATE_LIMIT', '5000', { ipRateLimit: 5_000 }],
    ['OWNER_WORKSPACES_MAX', '0', { ownerWorkspacesMax: 0 }],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.1.1', { trustProxy: [cidr('10.0.0.0', 8), cidr('192.168.1.1', 32)] }],
    ['TRUST_PROXY', '::ffff:10.0.0.1', { trustProxy: [cidr('::ffff:10.0.0.1', 128, 'ipv6')] }],
    ['TRUST_PROXY', 'fc00::/7', { trustProxy: [cidr('fc00::', 7, 'ipv6')] }],
    ['TRUST_PROXY', 'fd00::/8', { trustProxy: [cidr('fd00::', 8, 'ipv6')] }],
    ['IDEMPOTENCY_TTL_HOURS', '48', { idempotencyTtlMs: 48 * hourMs }],
    ['SEND_WORKERS', '3', { sendWorkers: 3 }],
    ['SEND_WAIT_MS', '0', { sendWaitMs: 0 }],
    ['SEND_QUEUE_MAX', '1', { sendQueueMax: 1 }],
    ['CHANNEL_API_URL', 'http://127.0.0.1:9000/', { channelApiUrl: 'http://127.0.0.1:9000' }],
    ['CHANNEL_API_URL', 'HTTPS://Graph.Example.com', { channelApiUrl: 'https://graph.example.com' }],
    ['CHANNEL_API_URL', 'https://graph.example.com/proxy/?', { channelApiUrl: 'https://graph.example.com/proxy' }],
    ['CHANNEL_API_VERSION', 'v26.1', { channelApiVersion: 'v26.1' }],
    ['CHANNEL_TIMEOUT_MS', '5000', { channelTimeoutMs: 5_000 }],
    ['TEMPLATE_SYNC_MINUTES', '1', { templateSyncMs: 60_000 }],
    ['SCHEDULE_LATE_MINUTES', '5', { scheduleLateMs: 5 * minuteMs }],
    ['UNKNOWN_SETTLE_HOURS', '1', { unknownSettleMs: hourMs }],
    ['MEDIA_ALLOWED_NETWORKS', '127.0.0.0/8', { mediaAllowedNetworks: [cidr('127.0.0.0', 8)] }],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8', { webhookAllowedNetworks: [cidr('10.0.0.0', 8)] }],
    ['CONTENT_RETENTION_DAYS', '0', { contentRetentionMs: 0 }],
    ['CONTENT_RETENTION_DAYS', '7', { contentRetentionMs: 7 * 24 * hourMs }],
    ['EVENT_RETENTION_DAYS', '7', { eventRetentionMs: 7 * 24 * hourMs }],
    ['MESSAGE_RETENTION_DAYS', '30', { messageRetentionMs: 30 * 24 * hourMs }],
    ['METRICS_PORT', '0', { metricsPort: 0 }],
    ['METRICS_PORT', '9464', { metricsPort: 9_464 }],
    ['METRICS_TOKEN', 'sixteen-letters.', { metricsToken: 'sixteen-letters.' }],
    ['BACKUP_DIR', '/backups', { backup: { ...noBackups, dir: '/backups' } }],
    ['BACKUP_EVERY', '6h', { backup: { ...noBackups, every: { everyMs: 6 * hourMs } } }],
    ['BACKUP_EVERY', '0 4 * * *', { backup: { ...noBackups, every: { pattern: '0 4 * * *' } } }],
    ['BACKUP_KEEP', '30', { backup: { ...noBackups, keep: 30 } }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318/', { tracesUrl: 'http://127.0.0.1:4318' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=a%20b, x=1=2', { tracesHeaders: { 'api-key': 'a b', x: '1=2' } }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LOG_FORMAT', 'json', { logFormat: 'json' }],
    ['LOG_FORMAT', 'journald', { logFormat: 'journald' }],
  ]
  test.each(good)('%s=%s is taken', (name, value, expected) => {
    expect(loadConfig({ [name]: value })).toMatchObject(expected)
  })

  const owner = { WAYPOST_OWNER_EMAIL: 'ada@example.com', WAYPOST_OWNER_PASSWORD_FILE: '/run/secrets/password' }
  test('the owner has an address and a password file, or none of both', () => {
    expect(loadConfig(owner).owner).toEqual({ email: 'ada@example.com', passwordFile: '/run/secrets/password' })
    for (const [name, value] of Object.entries(owner)) {
      expect(() => loadConfig({ [name]: value })).toThrow('WAYPOST_OWNER_PASSWORD_FILE go together')
    }
    expect(() => loadConfig({ ...owner, WAYPOST_OWNER_EMAIL: 'ada' })).toThrow('WAYPOST_OWNER_EMAIL must be an email')
  })

  const bad: readonly [name: string, value: string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', 'http'],
    ['PORT', '1e3'],
    ['PUBLIC_URL', 'w.example.com'],
    ['PUBLIC_URL', 'ftp://w.example.com'],
    ['SECRET_KEY', 'fifteen letters'],
    ['GRAPH_API', 'yes'],
    ['PUBLIC_API_KEY_RATE_LIMIT', '-5'],
    ['PUBLIC_IP_RATE_LIMIT', 'none'],
    ['OWNER_WORKSPACES_MAX', '1001'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '127.0.0.1 ::/0'],
    ['TRUST_PROXY', '0.0.0.0/1 128.0.0.0/1'],
    ['TRUST_PROXY', '::ffff:0:0/96'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8 proxy.example.com'],
    ['IDEMPOTENCY_TTL_HOURS', '0'],
    ['SEND_WORKERS', '0'],
    ['SEND_WORKERS', '1000'],
    ['SEND_WAIT_MS', '10s'],
    ['SEND_QUEUE_MAX', '0'],
    ['CHANNEL_API_URL', 'graph.facebook.com'],
    ['CHANNEL_API_URL', 'https://'],
    ['CHANNEL_API_URL', 'https://user@graph.example.com'],
    ['CHANNEL_API_URL', 'https://user:secret@graph.example.com'],
    ['CHANNEL_API_URL', 'https://graph.example.com?debug=1'],
    ['PUBLIC_URL', 'https://waypost.example.com/#top'],
    ['CHANNEL_API_VERSION', '25'],
    ['CHANNEL_API_VERSION', 'v25.0/../..'],
    ['CHANNEL_TIMEOUT_MS', '0'],
    ['TEMPLATE_SYNC_MINUTES', '0'],
    ['TEMPLATE_SYNC_MINUTES', '1441'],
    ['SCHEDULE_LATE_MINUTES', '50401'],
    ['UNKNOWN_SETTLE_HOURS', '9999999'],
    ['MEDIA_ALLOWED_NETWORKS', 'everything'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['CONTENT_RETENTION_DAYS', '36501'],
    ['MESSAGE_RETENTION_DAYS', '-1'],
    ['EVENT_RETENTION_DAYS', '0'],
    ['METRICS_PORT', '65536'],
    ['METRICS_TOKEN', 'fifteen-letters'],
    ['METRICS_TOKEN', 'no header can carry this'],
    ['BACKUP_EVERY', 'daily'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_S3_ENDPOINT', 's3.example.com'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_LEVEL', 'INFO'],
    ['LOG_FORMAT', 'xml'],
  ]
  test.each(bad)('%s=%s is refused by name', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => loadConfig({ [name]: value })).toThrow(`  - ${name} `)
  })

  test('the tables above know every setting that is read', async () => {
    const files = ['config.ts', 'backup.ts'].map(name =>
      Bun.file(join(import.meta.dir, '../../src/config', name)).text(),
    )
    const source = (await Promise.all(files)).join('\n')
    const read = [
      ...source.matchAll(/\b(?:text|withDefault|whole|wholeIfSet|word|url|networks|headers)\('([A-Z_]+)'/g),
    ].map(([, name = '']) => name)
    const listed = [...good.map(([name]) => name), ...Object.keys(owner)]
    expect([...new Set(read)].sort()).toEqual([...new Set(listed)].sort())
  })
})

describe('the bucket of backups', () => {
  const whole = {
    BACKUP_DIR: '/backups',
    BACKUP_S3_ENDPOINT: 'https://s3.example.com/',
    BACKUP_S3_BUCKET: 's3://acme/gateway//one/',
    BACKUP_S3_REGION: 'eu-central-1',
    BACKUP_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    BACKUP_S3_SECRET_ACCESS_KEY: 'never-shown',
  }

  test('is read with its folder', () => {
    expect(loadConfig(whole).backup.bucket).toEqual({
      endpoint: 'https://s3.example.com',
      bucket: 'acme',
      prefix: 'gateway/one/',
      region: 'eu-central-1',
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey: 'never-shown',
      secretAccessKeyFile: null,
      secretName: 'BACKUP_S3_SECRET_ACCESS_KEY',
    })
    const { BACKUP_S3_SECRET_ACCESS_KEY: _, ...rest } = whole
    expect(loadConfig({ ...rest, BACKUP_S3_SECRET_ACCESS_KEY_FILE: '/s3.secret' }).backup.bucket).toMatchObject({
      secretAccessKey: null,
      secretAccessKeyFile: '/s3.secret',
    })
  })

  const needed = [
    'BACKUP_DIR',
    'BACKUP_S3_ENDPOINT',
    'BACKUP_S3_BUCKET',
    'BACKUP_S3_ACCESS_KEY_ID',
    'BACKUP_S3_SECRET_ACCESS_KEY',
  ]
  test.each(needed)('without %s it is refused, by that name and without the secret', name => {
    const load = () => loadConfig({ ...whole, [name]: '' })
    expect(load).toThrow(`  - ${name} `)
    expect(load).not.toThrow('never-shown')
  })

  test('its secret in two places is refused', () => {
    expect(() => loadConfig({ ...whole, BACKUP_S3_SECRET_ACCESS_KEY_FILE: '/s3.secret' })).toThrow('both set')
  })
})

describe('wrong settings', () => {
  test('are all named in one message', () => {
    const env = { PORT: 'x', LOG_LEVEL: 'x', TRUST_PROXY: 'x', CHANNEL_API_URL: 'x', SEND_WORKERS: 'x' }
    let message = ''
    try {
      loadConfig(env)
    } catch (error) {
      message = error instanceof ConfigError ? error.message : ''
    }
    expect(message).toContain('5 settings are wrong')
    for (const name of Object.keys(env)) expect(message).toContain(`- ${name} `)
  })

  test('a key that is given twice is refused, and no key is ever shown', () => {
    const both = () => loadConfig({ SECRET_KEY: 'sixteen letters!', SECRET_KEY_FILE: '/run/key' })
    expect(both).toThrow('SECRET_KEY and SECRET_KEY_FILE are both set')
    for (const env of [{ SECRET_KEY: 'sesame' }, { SECRET_KEY: 'sesame', SECRET_KEY_FILE: '/run/key' }]) {
      expect(() => loadConfig(env)).toThrow(expect.not.stringContaining('sesame'))
    }
  })

  test('a database is given once, and its password is never shown', () => {
    const DATABASE_URL = 'postgres://waypost:sesame@db.example/waypost'
    expect(() => loadConfig({ DATABASE_URL, DATABASE_PATH: '/srv/w.db' })).toThrow(
      'DATABASE_URL and DATABASE_PATH are both set: give one',
    )
    for (const env of [{ DATABASE_URL: `${DATABASE_URL}?ssl=1` }, { DATABASE_URL, DATABASE_PATH: '/srv/w.db' }]) {
      expect(() => loadConfig(env)).toThrow(expect.not.stringContaining('sesame'))
    }
    expect(Bun.inspect(loadConfig({ DATABASE_URL }), { depth: 9 })).not.toContain('sesame')
  })

  test('backups of a file are refused beside a database that is none', () => {
    const DATABASE_URL = 'postgres://waypost@db.example/waypost'
    const bucket = {
      BACKUP_S3_BUCKET: 'b',
      BACKUP_S3_ENDPOINT: 'https://s3.example',
      BACKUP_S3_ACCESS_KEY_ID: 'id',
      BACKUP_S3_SECRET_ACCESS_KEY: 'sesame',
    }
    expect(() => loadConfig({ DATABASE_URL, BACKUP_DIR: '/backups' })).toThrow(
      '- BACKUP_DIR makes copies of a SQLite file',
    )
    expect(() => loadConfig({ DATABASE_URL, ...bucket })).toThrow('- BACKUP_S3_BUCKET makes copies of a SQLite file')
    expect(loadConfig({ DATABASE_URL, BACKUP_KEEP: '3' }).backup.dir).toBeNull()
  })

  test('nothing else of the environment is looked at', () => {
    const { misnamed, ...taken } = loadConfig({ PATH: '/bin', port: '1', Port: '2', WAYPOST_PORT: '3' })
    const { misnamed: _, ...fallbacks } = loadConfig({})
    expect(taken).toEqual(fallbacks)
    expect(misnamed.map(({ given }) => given)).toEqual(['port', 'Port', 'WAYPOST_PORT'])
  })
})

describe('settings that work and endanger secrets are named', () => {
  const strongKey = 'q0Jx7Vn2Lw9Rb4Tz6Ku1Pd8Hs3Mf5Yg'.padEnd(43, 'Ac')
  const weaknesses = (CHANNEL_API_URL: string, key = strongKey) =>
    weaknessesOf(loadConfig({ CHANNEL_API_URL }), key).map(weakness => weakness.split(' ').slice(0, 3).join(' '))

  test.each([
    'http://upstream.example',
    'http://10.0.0.1:3999',
    'http://[fd00::1]',
    'http://localhost.example',
    'http://128.0.0.1',
  ])('plain http to another machine: %s', url => {
    expect(weaknesses(url)).toEqual(['CHANNEL_API_URL begins with'])
  })

  test.each([
    'https://upstream.example',
    'http://localhost:3999',
    'http://sandbox.localhost',
    'http://127.0.0.1:3999',
    'http://127.9.9.9',
    'http://[::1]:3999',
  ])('nothing of %s', url => {
    expect(weaknesses(url)).toEqual([])
  })

  const exposed = (env: Parameters<typeof loadConfig>[0]) =>
    weaknessesOf(loadConfig(env), strongKey).map(weakness => weakness.split(' ')[0])

  test('a public address without TLS, and a gateway that others reach without a proxy', () => {
    expect(exposed({ PUBLIC_URL: 'http://gateway.example' })).toEqual(['PUBLIC_URL'])
    expect(exposed({ PUBLIC_URL: 'https://gateway.example' })).toEqual([])
    expect(exposed({ PUBLIC_URL: 'http://localhost:8080' })).toEqual([])
    for (const HOST of ['0.0.0.0', '::', '10.0.0.7']) {
      expect(exposed({ HOST })).toEqual(['HOST'])
      expect(exposed({ HOST, TRUST_PROXY: '10.0.0.10' })).toEqual([])
    }
    for (const HOST of ['127.0.0.1', '::1', 'localhost']) expect(exposed({ HOST })).toEqual([])
  })

  const database = (DATABASE_URL: string) =>
    weaknessesOf(loadConfig({ DATABASE_URL }), strongKey).map(weakness => weakness.split(':')[0])

  test('a database on another machine without TLS, or without a check of the server', () => {
    expect(database('postgres://u@db.example/a')).toEqual(['DATABASE_URL leads to another machine without TLS'])
    expect(database('postgres://u@10.0.0.7/a?sslmode=disable')).toHaveLength(1)
    expect(database('postgres://u@[2001:db8::7]/a?sslmode=disable')).toHaveLength(1)
    // A container beside that of the gateway.
    expect(database('postgres://u@postgres/a?sslmode=disable')).toEqual([])
    expect(database('postgres://u@db.example/a?sslmode=require')).toEqual(['DATABASE_URL has sslmode=require'])
  })

  test.each([
    'postgres://u@localhost/a',
    'postgres://u@[::1]/a?sslmode=require',
    'postgres://u@localhost/a?host=/run/postgresql',
    'postgres://u@db.example/a?sslmode=verify-ca&sslrootcert=/ca.pem',
    'postgres://u@db.example/a?sslmode=verify-full',
  ])('nothing of %s', url => {
    expect(database(url)).toEqual([])
  })

  test.each([
    ['31 characters', 'q0Jx7Vn2Lw9Rb4Tz6Ku1Pd8Hs3Mf5Yg'],
    ['a word', 'correct horse battery'],
    ['one letter again and again', 'a'.repeat(64)],
    ['nine digits again and again', '123456789'.repeat(8)],
  ])('a key of %s is weak', (_, key) => {
    expect(weaknesses('https://upstream.example', key)).toEqual(['The secret key'])
  })

  test.each([
    ['32 hex digits', '9f86d081884c7d659a2feaa0c55ad015'],
    ['43 letters', strongKey],
  ])('a key of %s is not', (_, key) => {
    expect(weaknesses('https://upstream.example', key)).toEqual([])
  })
})

describe('files of users', () => {
  const media = (env: Record<string, string>) => loadConfig(env).media

  test.each([
    ['500 MB', 500 * 2 ** 20],
    ['5GB', 5 * 2 ** 30],
    ['1 tb', 2 ** 40],
    ['0', 0],
  ])('MEDIA_STORAGE_MAX: %s', (size, bytes) => {
    expect(media({ MEDIA_STORAGE_MAX: size }).storageBytesMax).toBe(bytes)
  })

  test.each(['5', '5 G', '-1 GB', '1.5 GB', 'all', '1234567 GB'])('MEDIA_STORAGE_MAX cannot be %s', size => {
    expect(() => media({ MEDIA_STORAGE_MAX: size })).toThrow('MEDIA_STORAGE_MAX must be a size such as 500 MB')
  })

  test('are kept no longer than contents and messages', () => {
    const days = (env: Record<string, string>) => media(env).retentionMs / (24 * hourMs)
    expect(days({})).toBe(30)
    expect(days({ MEDIA_RETENTION_DAYS: '90' })).toBe(30)
    expect(days({ MEDIA_RETENTION_DAYS: '90', CONTENT_RETENTION_DAYS: '365' })).toBe(90)
    expect(days({ MESSAGE_RETENTION_DAYS: '7' })).toBe(7)
  })

  test('go to a bucket that is named whole', () => {
    const bucket = { MEDIA_BUCKET: 'acme/files', MEDIA_S3_ENDPOINT: 'https://s3.example.com' }
    const key = { MEDIA_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', MEDIA_S3_SECRET_ACCESS_KEY_FILE: '/s3.secret' }
    expect(media({ ...bucket, ...key }).bucket).toMatchObject({ bucket: 'acme', prefix: 'files/' })
    // Beside a server, too: several instances need it.
    expect(media({ ...bucket, ...key, DATABASE_URL: 'postgres://gateway:x@db/x' }).bucket).not.toBeNull()
    expect(() => media(bucket)).toThrow('MEDIA_S3_ACCESS_KEY_ID must be set to keep')
  })
})
