import type { Store, StoreReads, StoreWrites } from '../../db/contract/store.ts'
import { leaseMs } from '../../db/postgres/instances.ts'
import { openPool, type Pool } from '../../db/postgres/open.ts'
import { openPostgresStore } from '../../db/postgres/store.ts'
import type { Authorship } from '../../db/rules/audited.ts'
import { systemClock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { watchStatements } from '../budget/statements.ts'
import { freshFixture } from '../fixture.ts'
import { hasPostgres } from '../postgres.ts'
import { openDatabase, seed } from './fixtures.ts'
import type { EngineName, Plan } from './plans.ts'
import { Databases, emptying } from './postgres/database.ts'
import { type Asked, telling } from './postgres/plans.ts'
import { plansOf as sqlitePlans } from './sqlite/plans.ts'

/** Calls of verbs with their arguments. */
type Calls = readonly (readonly [verb: keyof StoreWrites, argument: unknown])[]

/** What became of one call of several at once. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/** An empty, migrated database of one of the engines, behind the verbs and reads that all engines have. */
export interface StoreUnderTest {
  readonly read: StoreReads
  /**
   * How long what is handed over on a line without a limit may take to leave. SQLite gives it any time, because one
   * process has the file to itself; PostgreSQL the time of a lease.
   */
  readonly unlimitedMs: number | null
  /** @param argument with an author, the change is kept in the audit */
  write<Verb extends keyof StoreWrites>(
    verb: Verb,
    argument: Parameters<StoreWrites[Verb]>[0] & { readonly authorship?: Authorship },
  ): ReturnType<StoreWrites[Verb]>
  /** Calls of one turn of the event loop: the engine runs them at once, or as one batch. */
  batch(...calls: Calls): Promise<Outcome[]>
  /** The rows of a statement that every engine understands, for what no read shows. Counts are CAST to INTEGER. */
  rows(sql: string): Promise<unknown[][]>
  /** This process takes the endpoints of webhooks, as it does while it runs. */
  claimWebhooks(): Promise<unknown>
  /** The process ends, and another one starts: nobody has the messages that the first one had. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type OpenStore = (options?: { readonly keepsContents?: boolean }) => Promise<StoreUnderTest>

export interface Engine {
  readonly name: EngineName
  /** Whether it can run on this machine. */
  readonly isHere: boolean
  /** Verbs and reads that tests have asked of it. */
  readonly asked: ReadonlySet<string>
  /** How it runs each statement that the product has asked so far, in a database with many rows. */
  plans(): Promise<readonly Plan[]>
  /** Before the first `open`: starts its server, where it has one. */
  start(): Promise<void>
  stop(): Promise<void>
  readonly open: OpenStore
}

/** A database for each test of a suite, with a workspace, a channel, a line and a key. */
export const freshSeeded = (open: OpenStore): StoreUnderTest =>
  freshFixture(async () => {
    const db = await open()
    await seed(db)
    return db
  })

/** @returns the first column of the first row */
export const single = async (db: StoreUnderTest, sql: string): Promise<unknown> => (await db.rows(sql))[0]?.[0]

export const count = (db: StoreUnderTest, table: string): Promise<unknown> =>
  single(db, `SELECT CAST(count(*) AS INTEGER) FROM ${table}`)

/** Every verb and read that an engine has. */
export function everyName(): string[] {
  const db = openDatabase()
  const names = [...db.verbs, ...Object.keys(db.read)]
  db.close()
  return names
}

type Writes = Readonly<Record<keyof StoreWrites, (argument: never) => Promise<unknown>>>

/** @returns the store, noting what is asked of it */
function noting(
  asked: Set<string>,
  readsOf: () => StoreReads,
  store: Pick<StoreUnderTest, 'unlimitedMs' | 'rows' | 'claimWebhooks' | 'restart' | 'close'>,
  batch: (calls: Calls) => Promise<Outcome[]>,
): StoreUnderTest {
  const note = (calls: Calls) => {
    for (const [verb] of calls) asked.add(verb)
    return batch(calls)
  }
  return {
    ...store,
    read: new Proxy(readsOf(), {
      get(_, name) {
        asked.add(String(name))
        return Reflect.get(readsOf(), name)
      },
    }),
    batch: (...calls) => note(calls),
    // The engine's own type of the verb is lost in the batch.
    write: (async (verb: keyof StoreWrites, argument: unknown) => {
      const [outcome] = await note([[verb, argument]])
      if (!outcome?.ok) throw new Error(outcome?.message)
      return outcome.value
    }) as unknown as StoreUnderTest['write'],
  }
}

const isPlannable = (sql: string) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql)

export function sqlite(): Engine {
  const asked = new Set<string>()
  const ran = new Set<string>()
  /** What tests alone ask. */
  const inspections = new Set<string>()
  let endWatch = () => {}
  return {
    name: 'SQLite',
    isHere: true,
    asked,
    async plans() {
      const isPlanned = (sql: string) => isPlannable(sql) && !inspections.has(sql)

      return sqlitePlans([...ran].filter(isPlanned))
    },
    async start() {
      endWatch = watchStatements(({ sql }) => ran.add(sql))
    },
    stop: async () => endWatch(),
    async open(options) {
      const db = openDatabase(options)
      const { read, reader } = db
      const rows = async (sql: string) => {
        inspections.add(sql)
        return reader.client.query(sql).values()
      }
      // The writer has no memory of messages: to it, a restart is the next call.
      const store = {
        ...{ unlimitedMs: null, rows, claimWebhooks: async () => {}, restart: async () => {} },
        close: async () => db.close(),
      }
      return noting(
        asked,
        () => read,
        store,
        calls => db.batch(...calls),
      )
    },
  }
}

/** Of one database: what tests have open, and another connection for what no read shows. */
interface Opened {
  readonly keepsContents: boolean
  readonly beside: Pool
  readonly openAgain: () => Promise<Store>
  store: Store
}

export function postgres(): Engine {
  const asked = new Set<string>()
  const inspections = new Set<string>()
  let databases: Databases
  /** Used by no test just now. Opening one takes longer than most tests. */
  const idle: Opened[] = []

  async function openNew(keepsContents: boolean): Promise<Opened> {
    const url = await databases.take()
    const openAgain = () => openPostgresStore({ url, clock: systemClock, log: silentLogger, keepsContents })
    return { keepsContents, beside: openPool(url, 1), openAgain, store: await openAgain() }
  }

  return {
    name: 'PostgreSQL',
    isHere: hasPostgres,
    asked,
    async plans() {
      const isPlanned = ({ statement }: Asked) => isPlannable(statement) && !inspections.has(statement)
      const asked = databases.asked().filter(isPlanned)

      return databases.plans(asked)
    },
    async start() {
      databases = await Databases.start(telling)
    },
    async stop() {
      for (const { store, beside } of idle) {
        await store.close()
        await beside.close()
      }
      await databases.stop()
    },
    async open({ keepsContents = true } = {}) {
      const at = idle.findIndex(each => each.keepsContents === keepsContents)
      const [opened = await openNew(keepsContents)] = at < 0 ? [] : idle.splice(at, 1)
      const { beside } = opened
      // The instance goes on living.
      await beside.query(emptying('instances'))
      const run = async (verb: keyof StoreWrites, argument: unknown): Promise<Outcome> => {
        try {
          const verbs = opened.store.write as unknown as Writes
          return { ok: true, value: await verbs[verb](argument as never) }
        } catch (error) {
          return { ok: false, message: messageOf(error) }
        }
      }
      const store = {
        unlimitedMs: leaseMs,
        async rows(sql: string) {
          inspections.add(sql)
          return (await beside.client.unsafe(sql).values()) as unknown[][]
        },
        claimWebhooks: async () => opened.store.shared?.claimWebhooks({ isReady: true }),
        async restart() {
          await opened.store.close()
          opened.store = await opened.openAgain()
        },
        async close() {
          idle.push(opened)
        },
      }
      return noting(
        asked,
        () => opened.store.read,
        store,
        calls => Promise.all(calls.map(([verb, argument]) => run(verb, argument))),
      )
    },
  }
}
