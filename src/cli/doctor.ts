import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import color from 'picocolors'
import { inspectDatabaseServer, runningMigration } from '../../db/database.ts'
import { hasLockedTable, type ServerInspection } from '../../db/postgres/inspect.ts'
import { type Inspection, inspectDatabase } from '../../db/sqlite/backup.ts'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
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
  settingNamesCheck,
} from '../doctor/checks.ts'
import { clockCheck } from '../doctor/clockCheck.ts'
import { backups, litestreamFolder, replication, writeAheadLog } from '../doctor/copyChecks.ts'
import { type Finding, look } from '../doctor/finding.ts'
import { databaseServer, instancesCheck, serverMigrations } from '../doctor/serverChecks.ts'
import { addVerb } from './command.ts'
import { toggle } from './inputs.ts'
import { printable } from './output.ts'
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
      const findings = await examine(workbench, offline)
      const ok = findings.every(finding => finding.ok)
      return { data: { ok, checks: findings }, text: reportText(findings, ok), failed: !ok }
    },
  })
}

async function examine(workbench: Workbench, offline: boolean): Promise<Finding[]> {
  const findings = [await look('bun', bunVersion)]
  let config: Config
  try {
    config = workbench.config()
  } catch (cause) {
    return [...findings, { name: 'settings', ok: false, message: messageOf(cause) }]
  }
  findings.push(await look('settings', settingNamesCheck(config.misnamed)))
  findings.push(await look('API version', apiVersion(config, systemClock.now())))
  const engine =
    config.databaseUrl === null ? await examineFile(config) : await examineServer(config, config.databaseUrl)
  findings.push(...engine.findings)
  // Opens nothing that is incomplete: the doctor must not make a database or a key, or migrate anything.
  if (!engine.isCurrent) return findings
  const isSealable = engine.isKeyRight && hasKey(config)
  try {
    await workbench.withStore(async ({ store: { read }, credentials }) => {
      const all = { read, workspaceId: null, credentials }
      if (isSealable) findings.push(await look('secrets', vault(all)))
      findings.push(await look('channels', channelsCheck(all)))
      findings.push(await look('access tokens', accessTokens(all)))
      findings.push(await look('callbacks', callbacks(all)))
      findings.push(await look('messages', unknownMessages(read, config)))
      findings.push(...(await examineAttention(read, { workspaceId: null, now: systemClock.now() })))
      findings.push(await look('backups', backups(config, read, true)))
      findings.push(await look('clock', clockCheck(read, systemClock.now())))
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
  const inspection = existsSync(config.databasePath) ? inspectDatabase(config.databasePath, 'quick') : null
  const key = await look('key file', keyFileCheck(config, inspection))
  findings.push(key)
  findings.push(await look('database', databaseIntegrity(config, inspection)))
  findings.push(await look('migrations', migrations(inspection, await runningMigration(config))))
  if (inspection !== null) findings.push(await look('write-ahead log', writeAheadLog(config)))
  const litestream = litestreamFolder(config.databasePath)
  if (litestream !== null) findings.push(await look('replication', replication(config, litestream)))
  return { findings, isKeyRight: key.ok, isCurrent: inspection !== null && isCurrent(inspection) }
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

function reportText(findings: readonly Finding[], ok: boolean): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map(({ name, ok, message }) => {
    const mark = ok ? color.green('✓') : color.red('✗')
    return `${mark} ${name.padEnd(width)}  ${message.split('\n').map(printable).join('\n')}`
  })
  return [...lines, '', ok ? 'Everything is in order.' : color.red('Something needs your attention.')].join('\n')
}
