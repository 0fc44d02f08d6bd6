import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { rowsOfFile } from '../../cli/fullDatabase.ts'
import { eventually } from '../../eventually.ts'
import { openFile } from '../../openFile.ts'
import { type PostgresServer, startPostgres, unsynced } from '../../postgres.ts'
import { checkIntegrity, type Ledger, readLedger } from '../rig/ledger.ts'
import type { Act, Place } from './acts.ts'
import { sentenced } from './programs.ts'
import { type Ended, Stage } from './stage.ts'
import { neverMs } from './strace.ts'

/** A database to move to, another one for each point. */
interface Target {
  /** The path of its file, or its URL. */
  place(): string
  /** What `--to` or `--to-file` names, and how. */
  readonly args: readonly string[]
  make(): Promise<void>
  /** @returns what is gone of what was there before, and what is damaged */
  check(): string[]
  close(): Promise<void>
}

/**
 * Each copies one table after the other, and compares both sides: hundreds of calls that are one like the other. Each
 * point runs the whole command twice.
 */
const share = 4

export const moveActs: readonly Act[] = [
  {
    name: '`database move` to a server',
    counted: ['program'],
    share,
    open: async () => {
      const server = await startPostgres(unsynced)
      return openPlace(server, await Stage.make(), serverTarget)
    },
  },
  {
    name: '`database move` back to a file',
    counted: ['program', 'its folder'],
    share,
    open: async () => {
      const server = await startPostgres(unsynced)
      return openPlace(server, await Stage.make({ databaseUrl: await server.createDatabase() }), fileTarget)
    },
  },
]

/** The source stays as it is, so one is enough for all points. */
async function openPlace(
  server: PostgresServer,
  stage: Stage,
  open: (stage: Stage, server: PostgresServer) => Promise<Target>,
): Promise<Place> {
  const target = await open(stage, server)
  const move = ['database', 'move', ...target.args]
  const orders = await fill(stage)
  await stage.stop()
  const source = stage.databasePath
  const stored = () => (existsSync(source) ? JSON.stringify(rowsOfFile(source)) : '')
  const [ledger, rows] = [await readLedger(source), stored()]

  async function* wrongWith(ended: Ended): AsyncGenerator<string> {
    yield* sentenced(ended)
    if (existsSync(source)) yield* damaged(source, stage)
    if (stored() !== rows || !isSame(await readLedger(source), ledger)) yield 'the source has changed'
    yield* target.check()
    yield* await wrongTarget(ended)
    // The session of a process that was killed may be there for a moment.
    const again = await eventually(async () => {
      const next = await stage.run(move)
      if (/wait until (it|that) has ended/.test(next.says)) throw new Error(next.says)
      return next
    }, neverMs)
    yield* sentenced(again)
    if (again.code !== 0 && !again.says.includes('is not empty')) yield `the same command ended so: ${again.says}`
    yield* target.check()
    if (!isSame(await readLedger(target.place()), ledger)) yield 'the target is not what the source is'
  }

  /** What another command finds there: all, nothing yet, what was there before, or a refusal. */
  async function wrongTarget({ code }: Ended): Promise<string[]> {
    const listed = await stage.run(['workspace', 'list'], [], target.place())
    if (listed.code !== 0)
      return code === 0 ? [`a move was answered for, and the target is refused: ${listed.says}`] : sentenced(listed)
    const found = await readLedger(target.place())
    if (isSame(found, ledger)) return []
    if (code === 0) return ['a move was answered for, and the target is not what the source is']
    const isUntouched = found.messages.size === 0 && (await workspacesOf(target.place())).every(name => name === former)
    if (!isUntouched) return ['half a move can be used']
    // The command has left its version in it, so that it is empty no more.
    await target.make()
    return []
  }

  const prepare: Place['prepare'] = async () => {
    await target.make()
    let ended: Ended | null = null
    return {
      async perform(wrapper) {
        ended = await stage.run(move, wrapper)
      },
      finish: async () => (ended === null ? ['nothing was run'] : await Array.fromAsync(wrongWith(ended))),
    }
  }

  return {
    get pid() {
      return stage.pid
    },
    get databasePath() {
      return target.place()
    },
    prepare,
    verdict: async () => [],
    /** A gateway goes on where the one on the source was stopped. */
    async lastVerdict() {
      const { perform, finish } = await prepare()
      await perform([])
      const wrong = await finish()
      stage.moveTo(target.place())
      await stage.restart()
      await stage.repeat(...orders)
      return [...wrong, ...(await stage.lastVerdict())]
    },
    async close() {
      await stage.close()
      await target.close()
      await server.remove()
    },
  }
}

/** What a gateway has to keep: messages, one of which waits, what a user wrote, a file and a batch. */
async function fill(stage: Stage) {
  await stage.restart()
  const first = stage.order('open')
  await stage.repeat(first)
  await stage.callBackAgain(stage.report(first))
  await stage.insistOn(stage.batch(2))
  await stage.ran()
  const others = [await stage.orderWithFile(), stage.order('paced'), stage.order('paced')]
  for (const order of others) await stage.repeat(order)
  return [first, ...others]
}

/** Whatever the order of its rows. */
const sorted = (part: Ledger[keyof Ledger]) =>
  typeof part === 'number' ? part : [...part].map(one => JSON.stringify(one)).sort()
const rowsOf = (ledger: Ledger) => Object.values(ledger).map(sorted)

const isSame = (one: Ledger, other: Ledger) => Bun.deepEquals(rowsOf(one), rowsOf(other))

function damaged(path: string, { rig }: Stage): string[] {
  const verdict = checkIntegrity(path, rig.deployment.folder)
  return verdict === 'ok' ? [] : [`${path} is damaged: ${verdict}`]
}

const serverTarget = async ({ dataDir }: Stage, server: PostgresServer): Promise<Target> => {
  const urlFile = join(dataDir, 'url')
  let url = ''
  return {
    place: () => url,
    args: ['--to-file', urlFile],
    async make() {
      if (url !== '') await drop(url)
      url = await server.createDatabase()
      writeFileSync(urlFile, url)
    },
    check: () => [],
    close: async () => {},
  }
}

async function drop(url: string): Promise<void> {
  const other = new URL(url)
  const name = other.pathname.slice(1)
  other.pathname = '/postgres'
  await asking(String(other), client => client.unsafe(`DROP DATABASE ${name} WITH (FORCE)`))
}

/** A workspace of the database that was in the file of the target. */
const former = 'Former'
const fileName = 'moved.db'

const fileTarget = async (stage: Stage): Promise<Target> => {
  const path = join(stage.dataDir, fileName)
  const names = () => readdirSync(stage.dataDir).filter(name => name.startsWith(fileName))
  const store = await openFile(path)
  await store.write.createWorkspace({ id: 'ws_former', name: former, monthlyMessageLimit: null, createdAt: Date.now() })
  await store.close()
  const bytes = readFileSync(path)
  return {
    place: () => path,
    args: ['--to', path],
    async make() {
      for (const name of names()) rmSync(join(stage.dataDir, name))
      writeFileSync(path, bytes, { mode: 0o600 })
    },
    check() {
      const kept = names().filter(name => /^moved\.db(\.replaced-[\dTZ]+)?$/.test(name))
      const isThere = kept.some(name => workspacesOfFile(join(stage.dataDir, name)).includes(former))
      return [
        ...(isThere ? [] : ['the database that was there before is gone']),
        ...(existsSync(path) ? damaged(path, stage) : []),
      ]
    },
    close: async () => {},
  }
}

const selectNames = 'SELECT name FROM workspaces'

function workspacesOfFile(path: string): string[] {
  const client = new Database(path, { readwrite: true })
  try {
    return client.query(selectNames).values().flat().map(String)
  } catch {
    // Nothing is in it yet.
    return []
  } finally {
    client.close()
  }
}

const workspacesOf = async (place: string): Promise<string[]> =>
  existsSync(place)
    ? workspacesOfFile(place)
    : asking(place, async client => {
        const rows: { name: string }[] = await client.unsafe(selectNames)
        return rows.map(({ name }) => name)
      })

async function asking<Result>(url: string, work: (client: SQL) => Promise<Result>): Promise<Result> {
  const client = new SQL({ url, max: 1 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
