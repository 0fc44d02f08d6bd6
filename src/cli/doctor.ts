import type { Command } from 'commander'
import color from 'picocolors'
import { absence, inspectDatabaseServer, isAbsent, runningMigration } from '../../db/database.ts'
import { hasLockedTable, type ServerInspection } from '../../db/postgres/inspect.ts'
import { type Inspection, inspectDatabase } from '../../db/sqlite/backup.ts'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { printable } from '../base/terminal.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { DatabaseUrl } from '../config/databaseUrl.ts'
import { examineAttention } from '../doctor/attentionChecks.ts'
import { accessTokens, callbacks, channelsCheck, unknownMessages, upstream, vault } from '../doctor/channelChecks.ts'
import {
  apiVersion,
  databaseIntegrity,
  dataFolder,
  diskSpace,
  keyFileCheck,
  migrations,
  settingsCheck,
} from '../doctor/checks.ts'
import { clockCheck } from '../doctor/clockCheck.ts'
import { backups, litestreamFolder, replication, writeAheadLog } from '../doctor/copyChecks.ts'
import { type Finding, look } from '../doctor/finding.ts'
import { ownGateway } from '../doctor/ownGateway.ts'
import { promiseCheck } from '../doctor/promiseCheck.ts'
import { databaseServer, instancesCheck, serverMigrations } from '../doctor/serverChecks.ts'
import { upgradeCheck } from '../doctor/upgradeCheck.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { toggle } from './inputs.ts'
import { fields } from './output.ts'
import { hasKey, type Workbench, withChannelClient } from './session.ts'
import { bunRange } from './version.ts'

/** A check must not keep an operator waiting. A healthy platform answers within a second. */
const upstreamMsMax = 5_000

export function doctorCommand(program: Command, workbench: Workbench): void {
  addVerb(program, {
    name: 'doctor',
    summary: 'check that everything is in order, and say how to correct what is not',
    example: 'doctor',
    inputs: { offline: toggle('skip the checks at the upstream platform') },
    async run({ offline }) {
      const { places, findings } = await examine(workbench, offline)
      const ok = findings.every(finding => finding.ok)
      return { data: { ok, ...places, checks: findings }, text: reportText(places, findings, ok), failed: !ok }
    },
  })
}

/** Where the doctor has looked: of two installations on one machine, it may be the other one. */
interface Places {
  readonly dataDir: string
  readonly database: string
}

/** @throws CommandError when there is no database: a wrong folder has nothing that is wrong */
async function examine(workbench: Workbench, offline: boolean) {
  const findings = [await look('bun', bunVersion)]
  let config: Config
  try {
    config = workbench.config()
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    return { places: null, findings: [...findings, { name: 'settings', ok: false, message: messageOf(cause) }] }
  }
  // A server that cannot be reached is a finding.
  if (await isAbsent(config).catch(() => false)) throw new CommandError(absence(config), { code: 'NO_DATABASE' })
  const places: Places = { dataDir: config.dataDir, database: config.databaseUrl?.place ?? config.databasePath }
  return { places, findings: [...findings, ...(await examinePlaces(workbench, config, offline))] }
}

async function examinePlaces(workbench: Workbench, config: Config, offline: boolean): Promise<Finding[]> {
  const findings: Finding[] = []
  findings.push(await look('settings', settingsCheck(config)))
  findings.push(await look('API version', apiVersion(config, systemClock.now())))
  const engine =
    config.databaseUrl === null ? await examineFile(config) : await examineServer(config, config.databaseUrl)
  findings.push(...engine.findings)
  findings.push(await look('gateway', ownGateway(config)))
  // Opens nothing that is incomplete: the doctor must not make a database or a key, or migrate anything.
  if (!engine.isCurrent) return findings
  const isSealable = engine.isKeyRight && hasKey(config)
  try {
    await workbench.withStore(async ({ store: { read }, credentials }) => {
      const all = { read, workspaceId: null, credentials, now: systemClock.now(), turn: async () => {} }
      if (isSealable) findings.push(await look('secrets', vault(all)))
      findings.push(await look('channels', channelsCheck(all)))
      findings.push(await look('access tokens', accessTokens(all)))
      findings.push(await look('callbacks', callbacks(all)))
      findings.push(await look('messages', unknownMessages(read, config)))
      findings.push(...(await examineAttention(read, { workspaceId: null, now: systemClock.now() })))
      findings.push(await look('backups', backups(config, read, true)))
      findings.push(await look('clock', clockCheck(read, systemClock.now())))
      findings.push(await look('promises', promiseCheck(read, systemClock.now())))
      findings.push(await look('upgrade', upgradeCheck(read, systemClock.now())))
      const hasty = { ...config, channelTimeoutMs: Math.min(config.channelTimeoutMs, upstreamMsMax) }
      if (!offline && isSealable)
        findings.push(await withChannelClient(hasty, client => look('upstream', upstream(all, client))))
    })
  } catch (cause) {
    findings.push({ name: 'database', ok: false, message: messageOf(cause) })
  }
  return findings
}

/** The findings about the engine and its environment. */
interface EngineFindings {
  readonly findings: readonly Finding[]
  readonly isKeyRight: boolean
  /** The database is there, whole, and of this version. */
  readonly isCurrent: boolean
}

async function examineFile(config: Config): Promise<EngineFindings> {
  const findings = [await look('data folder', dataFolder(config)), await look('disk space', diskSpace(config))]
  const inspection = inspectDatabase(config.databasePath, 'quick')
  const key = await look('key file', keyFileCheck(config, inspection))
  findings.push(key)
  findings.push(await look('database', databaseIntegrity(config, inspection)))
  findings.push(await look('migrations', migrations(inspection, await runningMigration(config))))
  findings.push(await look('write-ahead log', writeAheadLog(config)))
  const litestream = litestreamFolder(config.databasePath)
  if (litestream !== null) findings.push(await look('replication', replication(config, litestream)))
  return { findings, isKeyRight: key.ok, isCurrent: isCurrent(inspection) }
}

async function examineServer(config: Config, databaseUrl: DatabaseUrl): Promise<EngineFindings> {
  let inspection: ServerInspection
  try {
    inspection = await inspectDatabaseServer(databaseUrl)
  } catch (cause) {
    const findings = [
      await look('key file', keyFileCheck(config, null)),
      { name: 'database', ok: false, message: `${messageOf(cause)}. Check DATABASE_URL, the server and the way to it` },
    ]
    return { findings, isKeyRight: false, isCurrent: false }
  }
  const key = await look('key file', keyFileCheck(config, inspection))
  const findings = [
    key,
    await look('database', databaseServer(databaseUrl, inspection)),
    await look('migrations', serverMigrations(inspection)),
    await look('instances', instancesCheck(inspection)),
  ]
  const { mismatch, migration, pending } = inspection
  const isCurrent = mismatch === null && migration === null && pending.length === 0 && !hasLockedTable(inspection)
  return { findings, isKeyRight: key.ok, isCurrent }
}

const isCurrent = ({ damage, obstacle, mismatch, pending }: Inspection) =>
  damage === null && obstacle === null && mismatch === null && pending.length === 0

function bunVersion(): string {
  if (Bun.isStandaloneExecutable || Bun.semver.satisfies(Bun.version, bunRange)) return `Bun ${Bun.version}`
  throw new Error(`Bun ${Bun.version} is too old: ${bunRange} is needed. Run: bun upgrade`)
}

function reportText(places: Places | null, findings: readonly Finding[], ok: boolean): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map(({ name, ok, message }) => {
    const mark = ok ? color.green('✓') : color.red('✗')
    // Further lines stand below the first one.
    return `${mark} ${name.padEnd(width)}  ${message
      .split('\n')
      .map(printable)
      .join(`\n${' '.repeat(width + 4)}`)}`
  })
  const looked = places === null ? [] : [fields({ 'data folder': places.dataDir, database: places.database }), '']
  return [...looked, ...lines, '', ok ? 'Everything is in order.' : color.red('Something needs your attention.')].join(
    '\n',
  )
}
