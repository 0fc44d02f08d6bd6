import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../../db/contract/store.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { Credentials } from '../../../src/base/credentials.ts'
import { sha256 } from '../../../src/base/crypto.ts'
import { newId, newKeyId, newKeySecret } from '../../../src/base/ids.ts'
import { openVault } from '../../../src/operations/secretKey.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import type { Key } from '../../gateway.ts'
import { openFile } from '../../openFile.ts'
import type { Owner } from './orders.ts'
import { account, Platform, templateComponents, templateName } from './platform.ts'
import { EventReceiver } from './receiver.ts'
import type { Environment } from './serving.ts'

/** The lines of a run: what they are for, and how they are paced. */
const plans = [
  { name: 'open', owner: 'unlimited', perSecond: 0, pairSeconds: 0 },
  /** Recipients that the stand-in refuses, puts off, or answers badly. */
  { name: 'faulty', owner: 'unlimited', perSecond: 0, pairSeconds: 0 },
  { name: 'paced', owner: 'unlimited', perSecond: 60, pairSeconds: 0 },
  { name: 'paired', owner: 'unlimited', perSecond: 200, pairSeconds: 1 },
  { name: 'limited', owner: 'limited', perSecond: 100, pairSeconds: 0 },
  /** What gateways send by themselves: scheduled messages, and the items of a batch. */
  { name: 'held', owner: 'unlimited', perSecond: 20, pairSeconds: 0 },
] as const

export type LineName = (typeof plans)[number]['name']

export interface DeployedLine {
  readonly id: string
  readonly owner: Owner
  readonly upstreamPhoneId: string
  readonly perSecond: number
}

export interface Deployment {
  readonly folder: string
  /** The path of its database's file, or the URL of the one on a server. */
  readonly database: string
  readonly env: Environment
  readonly platform: Platform
  /** Of the events of both workspaces. */
  readonly receiver: EventReceiver
  readonly keys: Readonly<Record<Owner, Key>>
  readonly workspaces: Readonly<Record<Owner, string>>
  readonly lines: Readonly<Record<LineName, DeployedLine>>
  /** Opens its database beside what runs on it. */
  open(): Promise<Store>
  /** The names of the files that it keeps for callers, as they stand in the folder or in the bucket. */
  keptFiles(): readonly string[]
  /** As `line set-rate` does, beside what runs. @param names all lines when it is not given */
  setRate(perSecond: number, names?: readonly LineName[]): Promise<void>
  /** Points the platform's callbacks to a gateway that runs. */
  subscribe(): Promise<void>
  close(): Promise<void>
}

export interface DeploymentOptions {
  /** Of the limited workspace. */
  readonly monthlyMessageLimit: number
  /** Per second, of lines that are to be slower. */
  readonly rates?: Partial<Record<LineName, number>>
  /** A database on a server in place of a file. */
  readonly databaseUrl?: string
  /** The names of the files that are kept, where that is not in the data folder. */
  readonly keptFiles?: () => readonly string[]
  /** The endpoint refuses one event in so many, once. */
  readonly refusedShare?: number
}

/** A data folder with two workspaces and their lines, and the platform that they send to. */
export async function makeDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { monthlyMessageLimit, rates = {}, databaseUrl, refusedShare } = options
  const folder = mkdtempSync(join(tmpdir(), 'waypost-rig-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const databasePath = join(dataDir, 'waypost.db')
  const open = () =>
    databaseUrl === undefined
      ? openFile(databasePath)
      : openPostgresStore({ url: databaseUrl, clock: systemClock, log: silentLogger, isInstance: false })
  // It comes with the first file.
  const media = join(dataDir, 'media')
  const inFolder = () => (existsSync(media) ? readdirSync(media) : [])
  const secretKey = newKeySecret()
  const upstreamLines = plans.map((plan, at) => ({
    ...plan,
    perSecond: rates[plan.name] ?? plan.perSecond,
    upstreamPhoneId: `10654035224292${at + 1}`,
    number: `+1555078388${at + 1}`,
  }))
  const platform = await Platform.start(upstreamLines)
  for (const { name, upstreamPhoneId } of upstreamLines) {
    if (name !== 'open' && name !== 'limited' && name !== 'held') continue
    platform.slowDown(upstreamPhoneId, 2, 60)
    platform.slowDown(upstreamPhoneId, 3, 15)
  }
  const store = await open()
  const vault = await openVault(store, secretKey)
  const credentials = new Credentials(vault)
  const receiver = new EventReceiver(refusedShare)
  const owners = {
    unlimited: await addOwner(store, credentials, null),
    limited: await addOwner(store, credentials, monthlyMessageLimit),
  }
  for (const { workspaceId } of Object.values(owners)) await receiver.addTo(workspaceId, store, vault)
  const lines = new Map<LineName, DeployedLine>()
  for (const { name, owner, ...line } of upstreamLines) {
    const { workspaceId, channelId } = owners[owner]
    const id = newId('line')
    await store.write.addLine({ ...line, id, workspaceId, channelId, active: true, createdAt: Date.now() })
    lines.set(name, { id, owner, upstreamPhoneId: line.upstreamPhoneId, perSecond: line.perSecond })
  }
  await store.close()

  return {
    folder,
    database: databaseUrl ?? databasePath,
    env: {
      ...{ DATA_DIR: dataDir, SECRET_KEY: secretKey, CHANNEL_API_URL: platform.url, SEND_WAIT_MS: '200' },
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    open,
    keptFiles: options.keptFiles ?? inFolder,
    platform,
    receiver,
    keys: { unlimited: owners.unlimited.key, limited: owners.limited.key },
    workspaces: { unlimited: owners.unlimited.workspaceId, limited: owners.limited.workspaceId },
    // One entry was made for each name of the table.
    lines: Object.fromEntries(lines) as Deployment['lines'],
    async setRate(perSecond, names = [...lines.keys()]) {
      const running = await open()
      for (const [name, { id: lineId }] of lines)
        if (names.includes(name)) await running.write.changeLine({ lineId, perSecond })
      await running.close()
    },
    async subscribe() {
      for (const { upstreamPhoneId, owner } of upstreamLines) {
        await platform.subscribe(upstreamPhoneId, `/callbacks/channel/${owners[owner].channelId}`)
      }
    },
    async close() {
      await platform.stop()
      await receiver.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function addOwner({ write }: Store, credentials: Credentials, monthlyMessageLimit: number | null) {
  const createdAt = Date.now()
  const workspaceId = newId('ws')
  const channelId = newId('chan')
  const { accountId, ...secrets } = account
  await write.createWorkspace({ id: workspaceId, name: 'Acme', monthlyMessageLimit, createdAt })
  await write.connectChannel({
    id: channelId,
    workspaceId,
    accountId,
    ...credentials.seal(channelId, secrets),
    createdAt,
    updatedAt: createdAt,
  })
  await write.replaceTemplates({
    channelId,
    at: createdAt,
    recordedAt: createdAt,
    templates: [
      {
        id: newId('tpl'),
        channelId,
        upstreamId: '1001',
        name: templateName,
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        parameterFormat: 'POSITIONAL',
        components: JSON.stringify(templateComponents),
        updatedAt: createdAt,
        lastUpdateAt: null,
      },
    ],
  })
  const key: Key = { apiKey: newKeyId(), apiSecret: newKeySecret() }
  const secretHash = sha256(key.apiSecret)
  await write.createKey({ id: key.apiKey, workspaceId, label: null, createdAt, secretHash })
  return { workspaceId, channelId, key }
}
