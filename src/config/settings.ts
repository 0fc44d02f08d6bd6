import { editDistance, slipsMax } from '../base/nearName.ts'

/**
 * Every setting with its default and its purpose, as `serve --help` prints it. config.ts reads and checks them, and a
 * default that is a value is read like a setting.
 */
export const settings = {
  HOST: ['127.0.0.1', 'the address to listen on'],
  PORT: ['8080', 'the port to listen on; 0: any free one'],
  DATA_DIR: ['./data', 'the folder of the database and of the key file'],
  DATABASE_PATH: ['waypost.db in DATA_DIR', 'the database file'],
  DATABASE_URL: ['none', 'a PostgreSQL database instead of a file, postgres://user:password@host/database'],
  PUBLIC_URL: ['none', 'where browsers and the upstream platform reach this gateway; needed for callbacks'],
  WAYPOST_OWNER_EMAIL: ['none', 'the first user, made at a start without users; else a set-up link is printed'],
  WAYPOST_OWNER_PASSWORD_FILE: ['none', "a file with the first user's password"],
  SECRET_KEY: ['none', 'seals the stored tokens, in place of a key file'],
  SECRET_KEY_FILE: ['secret.key in DATA_DIR', 'the key file; made at the first start when none is named'],
  GRAPH_API: ['off', 'on: existing clients of the upstream platform are answered below /graph'],
  PUBLIC_API_KEY_RATE_LIMIT: ['300', 'requests per API key and 15 minutes; 0: no limit'],
  PUBLIC_IP_RATE_LIMIT: ['100', 'requests per address and 15 minutes; 0: no limit'],
  OWNER_WORKSPACES_MAX: ['3', 'workspaces that an owner may make in the console, beside the first; 0: none'],
  TRUST_PROXY: ['none', 'addresses or CIDRs of the proxies whose X-Forwarded-For is trusted'],
  IDEMPOTENCY_TTL_HOURS: ['24', 'how long an idempotency key is remembered'],
  SEND_WORKERS: ['one less than the cores, 1 to 4', 'sender threads'],
  SEND_WAIT_MS: ['10000', 'how long a send waits for the upstream platform before it is answered QUEUED'],
  SEND_QUEUE_MAX: ['10000', 'messages that may wait on one line; beyond it 503'],
  CHANNEL_API_URL: ['https://graph.facebook.com', 'the upstream platform'],
  CHANNEL_API_VERSION: ['v25.0', 'the version of its API'],
  CHANNEL_TIMEOUT_MS: ['30000', 'the time limit of each call to it'],
  TEMPLATE_SYNC_MINUTES: ['10', 'how often the templates of each channel are read from the upstream platform'],
  SCHEDULE_LATE_MINUTES: ['60', 'after it, a scheduled message that no gateway was there to send counts as FAILED'],
  UNKNOWN_SETTLE_HOURS: ['72', 'after it, a message of unknown outcome counts as FAILED'],
  MEDIA_ALLOWED_NETWORKS: ['none', 'networks, as CIDRs, that links to media may lead to although they are private'],
  WEBHOOK_ALLOWED_NETWORKS: ['none', 'networks, as CIDRs, that events may be delivered to although they are private'],
  CONTENT_RETENTION_DAYS: ['30', 'older contents are dropped, statuses stay; 0: as soon as a message is settled'],
  MESSAGE_RETENTION_DAYS: ['keep all', 'older messages are deleted'],
  EVENT_RETENTION_DAYS: ['30', 'older events are deleted; a reader of the list has so long to come back'],
  MEDIA_RETENTION_DAYS: ['30', 'how long files of users are kept; no longer than contents and messages'],
  MEDIA_STORAGE_MAX: ['5 GB', 'files of users in all; beyond it the oldest are dropped; 0: none is kept'],
  MEDIA_BUCKET: ['none: DATA_DIR/media', 'a bucket, or bucket/folder, for files of users; for several instances'],
  MEDIA_S3_ENDPOINT: ['none', 'the address of its S3-compatible store'],
  MEDIA_S3_REGION: ['auto', 'its region'],
  MEDIA_S3_ACCESS_KEY_ID: ['none', 'its access key'],
  MEDIA_S3_SECRET_ACCESS_KEY: ['none', 'the secret of the access key'],
  MEDIA_S3_SECRET_ACCESS_KEY_FILE: ['none', 'a file with that secret, instead'],
  METRICS_PORT: ['none', 'serves /metrics on 127.0.0.1 at this port; 0: any free one'],
  METRICS_TOKEN: ['none', 'the bearer token that /metrics asks for; without METRICS_PORT it is served on PORT'],
  BACKUP_DIR: ['none: no automatic backups', 'the folder that backups are written to; for this gateway alone'],
  BACKUP_EVERY: ['1d', 'how often: 30m, 6h, 1d, or a cron pattern in UTC such as 0 4 * * *'],
  BACKUP_KEEP: ['7', 'backups that are kept, in the folder and in the bucket'],
  BACKUP_S3_ENDPOINT: ['none', 'the address of an S3-compatible store that each backup is uploaded to as well'],
  BACKUP_S3_BUCKET: ['none', 'its bucket, or bucket/folder'],
  BACKUP_S3_REGION: ['auto', 'its region'],
  BACKUP_S3_ACCESS_KEY_ID: ['none', 'its access key'],
  BACKUP_S3_SECRET_ACCESS_KEY: ['none', 'the secret of the access key'],
  BACKUP_S3_SECRET_ACCESS_KEY_FILE: ['none', 'a file with that secret, instead'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['none', 'the OpenTelemetry collector that gets a trace of each send, over HTTP'],
  OTEL_EXPORTER_OTLP_HEADERS: ['none', 'headers for the collector: name=value,name=value'],
  LOG_LEVEL: ['info', 'debug, info, warn, error or silent'],
  LOG_FORMAT: ['auto', 'pretty, json or journald (json with priorities); auto: pretty on a terminal, else json'],
} as const satisfies Readonly<Record<string, readonly [fallback: string, purpose: string]>>

export type SettingName = keyof typeof settings

/** What the members of a workspace may know: limits and times that concern them, and nothing of the machine. */
export const shownSettings = [
  'PUBLIC_URL',
  'GRAPH_API',
  'CHANNEL_API_URL',
  'CHANNEL_API_VERSION',
  'PUBLIC_API_KEY_RATE_LIMIT',
  'PUBLIC_IP_RATE_LIMIT',
  'OWNER_WORKSPACES_MAX',
  'IDEMPOTENCY_TTL_HOURS',
  'SEND_WAIT_MS',
  'SEND_QUEUE_MAX',
  'CHANNEL_TIMEOUT_MS',
  'SCHEDULE_LATE_MINUTES',
  'UNKNOWN_SETTLE_HOURS',
  'TEMPLATE_SYNC_MINUTES',
  'CONTENT_RETENTION_DAYS',
  'MESSAGE_RETENTION_DAYS',
  'EVENT_RETENTION_DAYS',
  'MEDIA_RETENTION_DAYS',
] as const satisfies readonly SettingName[]

/** The shown settings that are set, as they were written. */
export type GivenSettings = Readonly<Partial<Record<(typeof shownSettings)[number], string>>>

export const settingNames = Object.keys(settings) as SettingName[]

/** An unknown name in the environment, and the setting that was probably meant. */
export interface MisnamedSetting {
  readonly given: string
  readonly meant: SettingName
}

/**
 * Short names such as HOST and PORT are skipped: names of other programs (HOME, POST) are as similar as a typing
 * mistake.
 */
const comparedLengthMin = 8
/** One that is longer is of no other program by chance, also with two slips. */
const longLengthMin = 12
/** A word of up to so many letters is another word with one slip: API and APP. */
const shortWordMax = 3
/** Names of fewer words may be those of other programs with the same words. */
const wordsMin = 3
/** Letters of a word by which it is known when it is cut. */
const startMin = 3

/** Finds names that are nearly those of settings, and would be ignored silently. */
export function misnamedSettings(environment: Readonly<Record<string, string | undefined>>): MisnamedSetting[] {
  const isSet = (name: string) => Boolean(environment[name]?.trim())
  return Object.keys(environment)
    .filter(given => isSet(given) && !(given in settings))
    .flatMap(given => {
      // When the right name is also set, the similar one belongs to another program.
      const meant = settingNames.find(name => !isSet(name) && isNearly(given.toUpperCase(), name))
      return meant ? [{ given, meant }] : []
    })
}

function isNearly(given: string, name: SettingName): boolean {
  if (given === name || given === `WAYPOST_${name}`) return true
  if (name.length < comparedLengthMin) return false
  return words(given) === words(name) || hasSlips(given, name) || hasSimilarWords(given, name)
}

function hasSlips(given: string, name: SettingName): boolean {
  const slips = editDistance(given, name)
  if (name.length >= longLengthMin || slips > 1) return name.length >= longLengthMin && slips <= slipsMax
  const [ofGiven, ofName] = [given.split('_'), name.split('_')]
  const isOther = (word: string, at: number) => word.length <= shortWordMax && word !== ofGiven[at]
  return ofGiven.length !== ofName.length || !ofName.some(isOther)
}

/**
 * Words alike in another form (PROXIES, DIRECTORY), or one left out of a long name. The first word says whose it is:
 * not GRAPHITE_API.
 */
function hasSimilarWords(given: string, name: string): boolean {
  const [ofGiven, ofName] = [given.split('_'), name.split('_')]
  if (ofGiven[0] !== ofName[0]) return false
  if (ofGiven.length === ofName.length) return ofGiven.every((word, at) => isSameWord(word, ofName[at] ?? ''))
  if (ofGiven.length < wordsMin) return false
  return ofName.some((_, at) => ofName.toSpliced(at, 1).join('_') === given)
}

/** PROXIES and PROXY, DIRECTORY and DIR; not PATH and PASSWORD. */
function isSameWord(word: string, other: string): boolean {
  if (word === other) return true
  const [short = '', long = ''] = [word, other].sort((one, two) => one.length - two.length)
  return short.length >= startMin && (long.startsWith(short) || long === `${short.replace(/Y$/, 'IE')}S`)
}

/** The words of a name without their order: CHANNEL_URL_API has the words of CHANNEL_API_URL. */
const words = (name: string) => name.split('_').sort().join('_')
