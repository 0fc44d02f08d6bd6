import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { backupsIn } from '../../backup/files.ts'
import { backupProblem, isLate } from '../../backup/status.ts'
import type { EpochMs } from '../../base/clock.ts'
import { closed, Type } from '../../base/schema.ts'
import type { BackupConfig } from '../../config/backup.ts'
import { databaseBytes } from '../../doctor/copyChecks.ts'
import type { Finding } from '../../doctor/finding.ts'
import { examineChannels, examineGateway, withoutPlaces } from '../../doctor/running.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { iso, isoOrNull, moment, momentOrNull, orNull, shape, wired } from '../shapes.ts'

/** BACKUP_KEEP may be thousands; the newest say whether all is well. */
const listedMax = 20
/** On PostgreSQL, an examination writes a row over a connection of its own. Within this time, one serves all owners. */
const examinedMs = 10_000

const findings = Type.Array(
  shape('DoctorFinding', {
    name: Type.String({ description: 'What was examined, as `waypost doctor` names it.' }),
    ok: Type.Boolean(),
    message: Type.String({ description: 'What is right; or what is wrong, and what to do.' }),
  }),
)

const backupsSchema = shape('GatewayBackups', {
  keep: Type.Integer({ description: 'How many are kept; the oldest is removed when a new one is made.' }),
  isUploaded: Type.Boolean({ description: 'Whether backups are uploaded to a bucket as well.' }),
  nextAt: momentOrNull,
  isLate: Type.Boolean({ description: 'Whether the next one should be there by now.' }),
  failure: orNull(closed({ since: moment, isOfUpload: Type.Boolean(), reason: Type.String() }), {
    description: 'Why backups, or their uploads, fail, and since when; null after a success.',
  }),
  files: Type.Array(
    closed({ name: Type.String(), at: moment, bytes: orNull(Type.Integer()), uploadedAt: momentOrNull }),
    { description: 'The newest, newest first. Each was checked whole before it got its name.' },
  ),
})

const gatewayAnswer = wired('GatewayState', {
  version: Type.String(),
  engine: Type.Enum(['sqlite', 'postgresql'], { type: 'string' }),
  database: orNull(closed({ bytes: Type.Integer() }), {
    description: 'The file and its log. Null: a server has them.',
  }),
  files: closed({
    bytes: orNull(Type.Integer(), {
      description: 'Of all files that users sent; null: not measured by this instance.',
    }),
    bytesMax: Type.Integer(),
  }),
  gateway: findings,
  channels: findings,
  backups: orNull(backupsSchema, { description: 'Null: the gateway makes none by itself.' }),
})
const checkAnswer = wired('ChannelFindings', { channels: findings })

/**
 * Whether the gateway is in order, by the rules of `waypost doctor`, for owners. A gateway may have several workspaces:
 * channels are those of the caller's, and of the machine no place is shown.
 */
export function gatewayRoutes(parts: ConsoleParts) {
  const { store, clock, config, credentials, client, files, version, backups } = parts
  const { read } = store
  const shownText = (text: string) => withoutPlaces(config, text)
  let examined: { readonly at: number; readonly findings: Promise<Finding[]> } | null = null
  function examine() {
    if (config.databaseUrl === null) return examineGateway(config, read, clock.now())
    const at = clock.steady()
    if (examined === null || at - examined.at >= examinedMs)
      examined = { at, findings: examineGateway(config, read, clock.now()) }
    return examined.findings
  }
  const channelsOf = ({ workspaceId, turn }: MemberCaller) => ({
    ...{ read, workspaceId, turn, now: clock.now() },
    credentials: () => credentials,
  })
  return new Elysia({ name: 'console-gateway', prefix: '/workspaces/:workspaceId/gateway' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const [gateway, channels] = await Promise.all([examine(), examineChannels(channelsOf(member), null)])
        const { databasePath: path, databaseUrl } = config
        const isFile = databaseUrl === null
        return {
          version,
          engine: isFile ? ('sqlite' as const) : ('postgresql' as const),
          database: isFile ? { bytes: databaseBytes(path) } : null,
          files: { bytes: files.storedBytes, bytesMax: files.storageBytesMax },
          gateway: gateway.map(finding => ({ ...finding, message: shownText(finding.message) })),
          channels,
          backups: backupsOf(config.backup, backups, clock.now(), shownText),
        }
      },
      {
        role: 'owner',
        response: gatewayAnswer,
        summary: 'Show the state of the gateway',
        description: 'What `waypost doctor` finds of the running gateway and of the channels of the workspace.',
      },
    )
    .post(
      '/check',
      async ({ member }) => ({
        channels: await examineChannels(channelsOf(member), client),
      }),
      {
        role: 'owner',
        response: checkAnswer,
        summary: 'Check the channels at the upstream platform',
        description: 'Asks it with the access token of each channel with an active line.',
      },
    )
}

const bytesOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null

function backupsOf(
  { dir, keep, bucket }: BackupConfig,
  { status, due }: ConsoleParts['backups'],
  now: EpochMs,
  shownText: (text: string) => string,
) {
  if (dir === null) return null
  const { lastUpload } = status
  const problem = backupProblem(status, due, now)
  const hasReason = problem?.kind === 'makeFails' || problem?.kind === 'uploadFails'
  return {
    keep,
    isUploaded: bucket !== null,
    nextAt: isoOrNull(due.make),
    isLate: isLate(due.make, now),
    failure: hasReason
      ? { since: iso(problem.since), isOfUpload: problem.kind === 'uploadFails', reason: shownText(problem.reason) }
      : null,
    files: backupsIn(dir)
      .slice(0, listedMax)
      .map(({ name, at }) => ({
        name,
        at: iso(at),
        bytes: bytesOf(join(dir, name)),
        uploadedAt: lastUpload?.name === name ? iso(lastUpload.at) : null,
      })),
  }
}
