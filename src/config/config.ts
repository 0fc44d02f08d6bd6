import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { dayMs, hourMs, minuteMs } from '../base/durations.ts'
import { isEmail } from '../base/names.ts'
import { type Cidr, networkMatcher } from '../base/network.ts'
import { readBackupConfig } from './backup.ts'
import { readMediaConfig, retentionDaysMax } from './media.ts'
import { type Environment, type SettingsReader, settingsReader } from './reader.ts'
import { misnamedSettings, shownSettings } from './settings.ts'

export type { Environment }

/** One or more settings are wrong; the message names every one of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Owner alone: `dataDir` holds phone numbers and the key file. */
export const dataFolderMode = 0o700

/** One sender keeps up with tens of thousands of sends a second: more threads than cores only cost memory. */
const sendWorkersMax = 64
/** The ports of TCP; 0 takes any free one. */
export const portMax = 65_535
/** Far above the requests of any window: a larger number is a mistake. 0 means "no limit". */
const rateLimitMax = 1_000_000_000
/** Far more than one owner keeps apart. */
const ownerWorkspacesMax = 1_000
/** A year: keys take disk for that long, and no callback about a message comes later. */
const keptHoursMax = 8_760
/** As long as a message can be scheduled ahead: nobody waits for it any longer. */
const scheduleLateMinutesMax = (35 * dayMs) / minuteMs
/** A day: sends notice by themselves when their template was approved or paused meanwhile. */
const templateSyncMinutesMax = dayMs / minuteMs
/** Proxies and clients give up before that, and a stop waits as long too. */
const sendWaitMsMax = 2 * minuteMs
/** Waiting messages are held in memory, a kilobyte or more each: a gigabyte in all. */
const sendQueueLengthMax = 1_000_000
/** No other machine answers in a shorter time. */
const channelTimeoutMsMin = 10
/** Ten minutes, as long as a throttled message is retried. A call keeps its connection that long, and delays a stop. */
const channelTimeoutMsMax = 10 * minuteMs

/** All settings, read once and checked. No other file reads the environment. */
export type Config = ReturnType<typeof loadConfig>

/**
 * Reads the settings.
 * @throws ConfigError that names every bad setting at once
 */
export function loadConfig(env: Environment) {
  const reader = settingsReader(env)
  const { problems, bad, text, withDefault, whole, wholeIfSet, word, url, networks } = reader

  const dataDir = resolve(withDefault('DATA_DIR'))
  const retentionDays = wholeIfSet('MESSAGE_RETENTION_DAYS', 1, retentionDaysMax)
  const messageRetentionMs = retentionDays && retentionDays * dayMs
  const contentRetentionMs = whole('CONTENT_RETENTION_DAYS', 0, retentionDaysMax) * dayMs
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

  const config = {
    /** For showing which of these are set, and to what. */
    given: Object.fromEntries(
      shownSettings.flatMap(name => {
        const value = text(name)
        return value === null ? [] : [[name, value] as const]
      }),
    ),
    /** Names in the environment that are nearly those of settings, and have no effect. */
    misnamed: misnamedSettings(env),
    // An IPv6 address may have the brackets of a URL.
    host: withDefault('HOST').replace(/^\[(.*)\]$/, '$1'),
    port: whole('PORT', 0, portMax),
    dataDir,
    /** The file of SQLite. Not used with a `databaseUrl`. */
    databasePath: resolve(text('DATABASE_PATH') ?? join(dataDir, 'waypost.db')),
    /** A database of PostgreSQL, which several instances may share; null: SQLite. */
    databaseUrl: reader.databaseUrl('DATABASE_URL'),
    /** The address at which the upstream reaches us. Null: not known; callbacks must be set up by hand. */
    publicUrl: url('PUBLIC_URL'),
    /** The first user, made at a start without users. Null: a set-up link is printed. */
    owner:
      ownerEmail === null || ownerPasswordFile === null ? null : { email: ownerEmail, passwordFile: ownerPasswordFile },
    /** Null: the key file in `dataDir` is used, and made at the first start. */
    secretKey,
    secretKeyFile,
    /** Whether the drop-in API is served. */
    hasGraphApi: word('GRAPH_API', ['off', 'on']) === 'on',
    /** Requests per window of 15 minutes; 0: no limit. */
    keyRateLimit: whole('PUBLIC_API_KEY_RATE_LIMIT', 0, rateLimitMax),
    ipRateLimit: whole('PUBLIC_IP_RATE_LIMIT', 0, rateLimitMax),
    /** Workspaces that an owner may make, beside the first. */
    ownerWorkspacesMax: whole('OWNER_WORKSPACES_MAX', 0, ownerWorkspacesMax),
    /** The proxies whose `X-Forwarded-For` is trusted. */
    trustProxy: proxies(reader),
    idempotencyTtlMs: whole('IDEMPOTENCY_TTL_HOURS', 1, keptHoursMax) * hourMs,
    sendWorkers: wholeIfSet('SEND_WORKERS', 1, sendWorkersMax) ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
    sendWaitMs: whole('SEND_WAIT_MS', 0, sendWaitMsMax),
    sendQueueMax: whole('SEND_QUEUE_MAX', 1, sendQueueLengthMax),
    channelApiUrl: url('CHANNEL_API_URL', withDefault('CHANNEL_API_URL')) ?? '',
    channelApiVersion: version,
    channelTimeoutMs: whole('CHANNEL_TIMEOUT_MS', channelTimeoutMsMin, channelTimeoutMsMax),
    /** Between two readings of each channel's templates. */
    templateSyncMs: whole('TEMPLATE_SYNC_MINUTES', 1, templateSyncMinutesMax) * minuteMs,
    /** How long after its time a scheduled message is still sent, where no gateway was running. */
    scheduleLateMs: whole('SCHEDULE_LATE_MINUTES', 1, scheduleLateMinutesMax) * minuteMs,
    unknownSettleMs: whole('UNKNOWN_SETTLE_HOURS', 1, keptHoursMax) * hourMs,
    mediaAllowedNetworks: networks('MEDIA_ALLOWED_NETWORKS'),
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS'),
    /** How long the contents of messages are kept; 0: only while they are still to be sent. */
    contentRetentionMs,
    /** Null: messages are kept for good. */
    messageRetentionMs,
    eventRetentionMs: whole('EVENT_RETENTION_DAYS', 1, retentionDaysMax) * dayMs,
    /** Where metrics are served on this machine alone; null: nowhere. */
    metricsPort: wholeIfSet('METRICS_PORT', 0, portMax),
    /** The token that a request for metrics must bear. Without METRICS_PORT, metrics are served beside the API. */
    metricsToken,
    backup: readBackupConfig(reader, hasDatabaseUrl),
    media: readMediaConfig(reader, [contentRetentionMs, messageRetentionMs ?? Number.POSITIVE_INFINITY]),
    /** The collector that traces go to; null: nothing is traced. */
    tracesUrl: url('OTEL_EXPORTER_OTLP_ENDPOINT'),
    /** What the collector asks for, such as a key. */
    tracesHeaders: reader.headers('OTEL_EXPORTER_OTLP_HEADERS'),
    /**
     * Started as a service of `Type=notify`: systemd waits until it is told that the gateway is ready, and then wants
     * to hear from it within each `watchdogMs`. Null: not started so. It is no setting of ours, nor is the next.
     */
    systemd: env.NOTIFY_SOCKET ? { watchdogMs: (Number(env.WATCHDOG_USEC) || 0) / 1_000 || null } : null,
    /** Who called a command by sudo, as sudo says. */
    sudoUser: env.SUDO_USER ?? null,
    logLevel: word('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']),
    logFormat: word('LOG_FORMAT', ['auto', 'pretty', 'json', 'journald']),
  }
  if (problems.length > 0) {
    const which = problems.length === 1 ? 'a setting is' : `${problems.length} settings are`
    const list = problems.map(problem => `  - ${problem}`).join('\n')
    throw new ConfigError(`Waypost cannot start: ${which} wrong.\n${list}`)
  }
  return Object.freeze(config)
}

/** As wide as the widest private network, which proxies stand in: 10.0.0.0/8, fc00::/7. */
const proxyPrefixMin = { ipv4: 8, ipv6: 7 } as const
/** Far apart: only what holds all of IPv4, written as IPv6, has both. */
const strangers = ['1.1.1.1', '203.0.113.1'] as const

/** The proxies whose `X-Forwarded-For` is trusted: who may write it passes each limit to addresses. */
function proxies({ networks, bad }: SettingsReader): Cidr[] {
  const trusted = networks('TRUST_PROXY')
  for (const network of trusted) {
    const { address, prefix, family } = network
    if (prefix < proxyPrefixMin[family] || strangers.every(networkMatcher([network])))
      bad('TRUST_PROXY', `trusts everybody with ${address}/${prefix}: name the addresses of your own proxies`)
  }
  return trusted
}

/** `openssl rand -hex 8` has as many; a shorter one can be guessed over the network. */
const metricsTokenLengthMin = 16

/** RFC 6750 2.1: what a bearer token may consist of. */
const isBearer = (token: string) => token.length >= metricsTokenLengthMin && /^[\w.~+/-]+=*$/.test(token)

/** 16 random characters of base64 hold 96 bits; anything shorter is a word that somebody typed. */
export const secretKeyLengthMin = 16
