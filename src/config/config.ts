import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type Cidr, parseCidr } from '../network.ts'
import type { LogFormat, LogLevel } from '../telemetry/log.ts'
import { isEmail } from '../text/email.ts'
import { type BackupConfig, readBackupConfig } from './backup.ts'
import { DatabaseUrl, DatabaseUrlError } from './databaseUrl.ts'
import { type GivenSettings, type SettingName, settings, shownSettings } from './settings.ts'

/** All settings, read once and checked. No other file reads the environment. */
export interface Config {
  /** For showing which of these are set, and to what. */
  readonly given: GivenSettings
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** The file of SQLite. Not used with a `databaseUrl`. */
  readonly databasePath: string
  /** A database of PostgreSQL, which several instances may share; null: SQLite. */
  readonly databaseUrl: DatabaseUrl | null
  /** The address at which the upstream reaches us. Null: not known; callbacks must be set up by hand. */
  readonly publicUrl: string | null
  /** The first user, made at a start without users. Null: a set-up link is printed. */
  readonly owner: { readonly email: string; readonly passwordFile: string } | null
  /** Null: the key file in `dataDir` is used, and made at the first start. */
  readonly secretKey: string | null
  readonly secretKeyFile: string | null
  /** Requests per window of 15 minutes; 0: no limit. */
  readonly keyRateLimit: number
  readonly ipRateLimit: number
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly Cidr[]
  readonly idempotencyTtlMs: number
  readonly sendWorkers: number
  readonly sendWaitMs: number
  readonly sendQueueMax: number
  readonly channelApiUrl: string
  readonly channelApiVersion: string
  readonly channelTimeoutMs: number
  readonly unknownSettleMs: number
  /** Between two readings of each channel's templates. */
  readonly templateSyncMs: number
  readonly mediaAllowedNetworks: readonly Cidr[]
  /** How long the contents of messages are kept; 0: only while they are still to be sent. */
  readonly contentRetentionMs: number
  /** Null: messages are kept for good. */
  readonly messageRetentionMs: number | null
  /** Where metrics are served on this machine alone; null: nowhere. */
  readonly metricsPort: number | null
  /** The token that a request for metrics must bear. Without METRICS_PORT, metrics are served beside the API. */
  readonly metricsToken: string | null
  readonly backup: BackupConfig
  /** The collector that traces go to; null: nothing is traced. */
  readonly tracesUrl: string | null
  /** What the collector asks for, such as a key. */
  readonly tracesHeaders: Readonly<Record<string, string>>
  /**
   * Set when systemd started it as a service of `Type=notify`: systemd waits for the notification that the gateway is
   * ready, and then expects a keep-alive within each `watchdogMs`.
   */
  readonly systemd: { readonly watchdogMs: number | null } | null
  /** Who called a command by sudo, as sudo says. */
  readonly sudoUser: string | null
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
}

/** One or more settings are wrong; the message names every one of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Owner alone: `dataDir` holds phone numbers and the key file. */
export const dataFolderMode = 0o700

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** One sender keeps up with tens of thousands of sends a second: more threads than cores only cost memory. */
const sendWorkersMax = 64
/** The ports of TCP; 0 takes any free one. */
export const portMax = 65_535
/** Far above the requests of any window: a larger number is a mistake. 0 means "no limit". */
const rateLimitMax = 1_000_000_000
/** A year: keys take disk for that long, and no callback about a message comes later. */
const keptHoursMax = 8_760
/** A day: sends notice by themselves when their template was approved or paused meanwhile. */
const templateSyncMinutesMax = 1_440
/** A hundred years; leaving the setting out keeps all. */
const retentionDaysMax = 36_500
/** Proxies and clients give up before that, and a stop waits as long too. */
const sendWaitMsMax = 120_000
/** Waiting messages are held in memory, a kilobyte or more each: a gigabyte in all. */
const sendQueueLengthMax = 1_000_000
/** No other machine answers in a shorter time. */
const channelTimeoutMsMin = 10
/** Ten minutes, as long as a throttled message is retried. A call keeps its connection that long, and delays a stop. */
const channelTimeoutMsMax = 600_000

/**
 * Reads the settings.
 * @throws ConfigError that names every bad setting at once
 */
export function loadConfig(env: Environment): Config {
  const problems: string[] = []
  const bad = (name: SettingName, rule: string) => problems.push(`${name} ${rule}`)

  /** An empty value counts as not set: that is how a shell or a unit file says "none". */
  const text = (name: SettingName): string | null => env[name]?.trim() || null

  /** The setting, else its default, which must be a value then. */
  const withDefault = (name: SettingName): string => text(name) ?? settings[name][0]

  function whole(name: SettingName, min: number, max: number): number {
    const value = withDefault(name)
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    bad(name, `must be a whole number from ${min} to ${max}`)
    return min
  }

  /** For a setting whose default is not a number. */
  const wholeIfSet = (name: SettingName, min: number, max: number) =>
    text(name) === null ? null : whole(name, min, max)

  function word<Word extends string>(name: SettingName, words: readonly [Word, ...Word[]]): Word {
    const value = withDefault(name)
    const known = words.find(known => known === value)
    if (known === undefined) bad(name, `must be one of ${words.join(', ')}`)
    return known ?? words[0]
  }

  function url(name: SettingName, value = text(name)): string | null {
    if (value === null) return null
    const parsed = URL.parse(value)
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
      bad(name, 'must be a URL that starts with https:// or http://')
      return null
    }
    // Paths are appended to it, and no request sends a user name.
    const { username, password, origin, pathname, search, hash } = parsed
    if (username + password + search + hash !== '') bad(name, 'must have no user name, no query and no fragment')
    return (origin + pathname).replace(/\/+$/, '')
  }

  function databaseUrl(name: SettingName): DatabaseUrl | null {
    const value = text(name)
    if (value === null) return null
    try {
      return new DatabaseUrl(value)
    } catch (error) {
      if (!(error instanceof DatabaseUrlError)) throw error
      bad(name, error.message)
      return null
    }
  }

  function networks(name: SettingName): Cidr[] {
    const entries = (text(name) ?? '').split(/[\s,]+/).filter(entry => entry !== '')
    return entries.flatMap(entry => {
      const cidr = parseCidr(entry)
      if (!cidr) bad(name, `has an entry that is neither an address nor a CIDR: ${entry}`)
      return cidr ? [cidr] : []
    })
  }

  /** `name=value,name=value`; values may be percent-encoded. */
  function headers(name: SettingName): Record<string, string> {
    const pairs = (text(name) ?? '').split(',').filter(pair => pair.trim() !== '')
    const entries = pairs.map(pair => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x20-\x7e]+?)\s*$/.exec(pair))
    // The values may be secrets: the message names none.
    if (entries.includes(null)) bad(name, 'must look like name=value,name=value')
    return Object.fromEntries(
      entries.filter(entry => entry !== null).map(([, key = '', value = '']) => [key, decoded(value)]),
    )
  }

  const dataDir = resolve(withDefault('DATA_DIR'))
  const retentionDays = wholeIfSet('MESSAGE_RETENTION_DAYS', 1, retentionDaysMax)
  const version = withDefault('CHANNEL_API_VERSION')
  if (!/^v\d{1,3}\.\d{1,2}$/.test(version)) bad('CHANNEL_API_VERSION', 'must look like v25.0')
  const secretKey = text('SECRET_KEY')
  const secretKeyFile = text('SECRET_KEY_FILE')
  if (secretKey !== null && secretKey.length < secretKeyLengthMin) {
    bad('SECRET_KEY', `must have at least ${secretKeyLengthMin} characters (try: openssl rand -base64 32)`)
  }
  if (secretKey !== null && secretKeyFile !== null) bad('SECRET_KEY', 'and SECRET_KEY_FILE are both set: give one')

  const metricsToken = text('METRICS_TOKEN')
  if (metricsToken !== null && !isBearer(metricsToken)) {
    bad(
      'METRICS_TOKEN',
      `must have at least ${metricsTokenLengthMin} letters, digits or -._~+/= (try: openssl rand -hex 16)`,
    )
  }

  const ownerEmail = text('WAYPOST_OWNER_EMAIL')
  const ownerPasswordFile = text('WAYPOST_OWNER_PASSWORD_FILE')
  if (ownerEmail !== null && !isEmail(ownerEmail)) bad('WAYPOST_OWNER_EMAIL', 'must be an email address')
  if ((ownerEmail === null) !== (ownerPasswordFile === null)) {
    bad('WAYPOST_OWNER_EMAIL', 'and WAYPOST_OWNER_PASSWORD_FILE go together: set both, or neither')
  }

  const hasDatabaseUrl = text('DATABASE_URL') !== null
  if (hasDatabaseUrl && text('DATABASE_PATH') !== null) bad('DATABASE_URL', 'and DATABASE_PATH are both set: give one')

  const config: Config = {
    given: Object.fromEntries(
      shownSettings.flatMap(name => {
        const value = text(name)
        return value === null ? [] : [[name, value] as const]
      }),
    ),
    // An IPv6 address may have the brackets of a URL.
    host: withDefault('HOST').replace(/^\[(.*)\]$/, '$1'),
    port: whole('PORT', 0, portMax),
    dataDir,
    databasePath: resolve(text('DATABASE_PATH') ?? join(dataDir, 'waypost.db')),
    databaseUrl: databaseUrl('DATABASE_URL'),
    publicUrl: url('PUBLIC_URL'),
    owner:
      ownerEmail === null || ownerPasswordFile === null ? null : { email: ownerEmail, passwordFile: ownerPasswordFile },
    secretKey,
    secretKeyFile,
    keyRateLimit: whole('PUBLIC_API_KEY_RATE_LIMIT', 0, rateLimitMax),
    ipRateLimit: whole('PUBLIC_IP_RATE_LIMIT', 0, rateLimitMax),
    trustProxy: networks('TRUST_PROXY'),
    idempotencyTtlMs: whole('IDEMPOTENCY_TTL_HOURS', 1, keptHoursMax) * hourMs,
    sendWorkers: wholeIfSet('SEND_WORKERS', 1, sendWorkersMax) ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
    sendWaitMs: whole('SEND_WAIT_MS', 0, sendWaitMsMax),
    sendQueueMax: whole('SEND_QUEUE_MAX', 1, sendQueueLengthMax),
    channelApiUrl: url('CHANNEL_API_URL', withDefault('CHANNEL_API_URL')) ?? '',
    channelApiVersion: version,
    channelTimeoutMs: whole('CHANNEL_TIMEOUT_MS', channelTimeoutMsMin, channelTimeoutMsMax),
    templateSyncMs: whole('TEMPLATE_SYNC_MINUTES', 1, templateSyncMinutesMax) * minuteMs,
    unknownSettleMs: whole('UNKNOWN_SETTLE_HOURS', 1, keptHoursMax) * hourMs,
    mediaAllowedNetworks: networks('MEDIA_ALLOWED_NETWORKS'),
    contentRetentionMs: whole('CONTENT_RETENTION_DAYS', 0, retentionDaysMax) * dayMs,
    messageRetentionMs: retentionDays && retentionDays * dayMs,
    metricsPort: wholeIfSet('METRICS_PORT', 0, portMax),
    metricsToken,
    backup: readBackupConfig({ text, withDefault, whole, url, bad, hasDatabaseUrl }),
    tracesUrl: url('OTEL_EXPORTER_OTLP_ENDPOINT'),
    tracesHeaders: headers('OTEL_EXPORTER_OTLP_HEADERS'),
    // systemd and sudo set these; they are no settings of ours.
    systemd: env.NOTIFY_SOCKET ? { watchdogMs: (Number(env.WATCHDOG_USEC) || 0) / 1_000 || null } : null,
    sudoUser: env.SUDO_USER ?? null,
    logLevel: word('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    logFormat: word('LOG_FORMAT', ['auto', 'pretty', 'json', 'journald']),
  }
  if (problems.length > 0) {
    throw new ConfigError(
      `Waypost cannot start: ${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} wrong.\n${problems
        .map(problem => `  - ${problem}`)
        .join('\n')}`,
    )
  }
  return Object.freeze(config)
}

/** `openssl rand -hex 8` has as many; a shorter one can be guessed over the network. */
const metricsTokenLengthMin = 16

/** RFC 6750 2.1: what a bearer token may consist of. */
const isBearer = (token: string) => token.length >= metricsTokenLengthMin && /^[\w.~+/-]+=*$/.test(token)

/** @returns the text as it is when it is not percent-encoded */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** 16 random characters of base64 hold 96 bits; anything shorter is a word that somebody typed. */
export const secretKeyLengthMin = 16
