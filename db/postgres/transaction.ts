import type { SQL } from 'bun'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { systemClock } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { messageOf } from '../../src/base/errors.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { type Connection, connectionBy, connectionOf, type Pool } from './open.ts'

/**
 * `serializable`: as if no other transaction ran meanwhile; one that cannot be is repeated. `read committed`: for
 * transactions that lock what they decide on.
 */
export type Isolation = 'serializable' | 'read committed'

/**
 * An unreachable server may cause no error at all: while a network is cut, packets are lost silently. A transaction
 * that has not ended by then is given up, so that its caller gets an answer.
 */
export const endMsDefault = 10_000
/** Of transactions of people and of prunes, which may have a lot to change. */
export const rareEndMsMax = 2 * minuteMs
/**
 * A process that is suspended in a transaction holds locks that others wait for: the server ends its transaction after
 * this time.
 */
export const idleMsMax = 3_000
/**
 * How long a transaction waits for a lock; then the server ends it, nothing is stored, and its caller is told to come
 * again. One that only this process gave up might still be stored. A suspended process has lost its locks before that.
 * Of two transactions that change one row, the second waits for the first, and then for the table that the first has
 * waited for: both together end before the call is given up.
 */
export const lockMsMax = 4_000

/**
 * A transaction that collides this often is refused: the caller may retry later. Of six that change one row at once,
 * one in two hundred collided eight times.
 */
const triesMax = 24

/**
 * Serialisation failure and deadlock: the same transaction may succeed at once. A serializable one that has looked for
 * a row, and found none, may still meet it in a unique index or as a foreign key: somebody has just stored it.
 */
const collisions = new Set(['40001', '40P01'])
const serializableCollisions = new Set([...collisions, '23503', '23505'])

/**
 * The server's codes for a problem that is not of the statement: connection (08), a user or password that is refused
 * (28), a database that is not there (3D), resources, as a full disk or no free connection (53), an operator or a
 * restart (57), a system error (58), a lock that somebody holds for too long (55P03), a read-only server (25006), a
 * transaction that it ended because this process was suspended in it (25P03: it was rolled back, also when the commit
 * was the next to be asked), collisions (40).
 */
const unavailable = /^(08|28|3D|40|53|55P03|57|58|25006|25P03)/

/** The server's code when a lock was waited for too long. */
const lockTimeout = '55P03'

/** The driver's codes for a certificate of the server that is refused, as one that has expired. */
const untrusted = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

/** @returns the server's SQLSTATE; null when the error is not one of its answers */
function sqlStateOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('errno' in cause && typeof cause.errno === 'string') return cause.errno
  }
  return null
}

/** @returns whether the connection failed, and no answer of the server says what happened */
function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && typeof cause.code === 'string')) continue
    if (untrusted.test(cause.code)) return true
    if (cause.code.startsWith('ERR_POSTGRES_')) {
      return cause.code !== 'ERR_POSTGRES_SERVER_ERROR' && cause.code !== 'ERR_POSTGRES_SYNTAX_ERROR'
    }
  }
  return false
}

/** The transaction was given up before its commit: it is rolled back as soon as it can be. */
class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/**
 * Runs a transaction, and repeats it when it collides with another one.
 * @param work may run several times. It uses only the given connection
 * @param options `calls`: how many calls share the commit; 0: it is not measured. `endMsMax`: how long it may take.
 *   `waitsForLocks`: for as long as that, as who begins together with others that migrate
 *   `readsFirst`: before its first answer, the work only reads and locks: a trip less
 * @throws Unavailable when the server cannot be reached, has no room, does not answer or has lent a row for too long:
 *   nothing was stored
 * @throws OutcomeUnknown when the answer to the commit was lost: it may be stored
 * @throws whatever `work` throws, with nothing stored
 */
export const inTransaction = <Result>(
  pool: Pick<Pool, 'client' | 'meter' | 'onLate' | 'renew'>,
  isolation: Isolation,
  work: (connection: Connection) => Promise<Result>,
  options: Options = {},
): Promise<Result> =>
  repeating(isolation === 'serializable' ? serializableCollisions : collisions, () =>
    once(pool, options, (client, commits) =>
      begun(client, { isolation, ...options }, async connection => {
        // It needs no answer of its own: the statements of the work follow at once.
        const limited = connection.query(...(options.waitsForLocks ? limitingIdleness : limitingAll))
        limited.catch(() => {})
        const result = await inOrder(limited, work(connection))
        commits()
        return result
      }),
    ),
  )

const begins = {
  serializable: client => client`BEGIN ISOLATION LEVEL SERIALIZABLE`.execute(),
  'read committed': client => client`BEGIN ISOLATION LEVEL READ COMMITTED`.execute(),
} as const satisfies Readonly<Record<Isolation, (client: SQL) => Promise<unknown>>>

/**
 * As `client.begin`, which waits for the answer to its BEGIN: a trip. The driver lets what is prepared, as a tagged
 * text is, and what has parameters follow at once. A pooler that keeps no account of prepared statements may refuse
 * BEGIN, and nothing else: what follows would be stored by itself. So only reads leave before the answer.
 */
async function begun<Result>(
  client: SQL,
  { isolation, readsFirst = false }: Pick<Options, 'readsFirst'> & { readonly isolation: Isolation },
  run: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const reserved = await client.reserve()
  let hasFailed = false
  const inIt = () => {
    if (hasFailed) throw new Error('the transaction has not begun')
    return reserved
  }
  try {
    const beginning = begins[isolation](reserved)
    beginning.catch(() => {
      hasFailed = true
    })
    if (!readsFirst) await beginning
    const result = await inOrder(beginning, run(connectionBy(inIt)))
    await reserved`COMMIT`
    return result
  } catch (error) {
    // Of a connection that is lost, the server rolls back by itself.
    await reserved`ROLLBACK`.catch(() => {})
    throw error
  } finally {
    reserved.release()
  }
}

/** @throws the error of the first, if it has one: it is why the other fails */
async function inOrder<Result>(first: Promise<unknown>, other: Promise<Result>): Promise<Result> {
  other.catch(() => {})
  await first
  return await other
}

/**
 * Runs one statement that changes data in its own transaction, and repeats it when it collides with another one. It is
 * one round trip to the server; a transaction takes at least four. Locks are held only on the server: a suspended
 * process holds none.
 * @param work runs one query
 * @param calls as in `inTransaction`
 * @throws Unavailable and OutcomeUnknown, as `inTransaction`. As long as there is no connection, nothing was stored
 */
export const inStatement = <Result>(
  pool: Pick<Pool, 'client' | 'connected' | 'meter' | 'onLate' | 'renew'>,
  work: (connection: Connection) => Promise<Result>,
  calls: number,
): Promise<Result> =>
  repeating(collisions, () =>
    once(pool, { calls }, async (client, commits) => {
      // Not on a connection that is reserved for it: the driver takes these in turn, and each session would have to be
      // warm.
      await pool.connected()
      commits()
      return work(connectionOf(client))
    }),
  )

/**
 * @returns a parameter of such a statement; until it is used, the limit of waits for locks is set for this statement
 *   alone
 */
export const limitingLocks = (parameter: string) =>
  `(SELECT ${parameter} WHERE ${limit('lock_timeout', `'${lockMsMax}'`)} <> '')`

const limit = (name: string, ms: string) => `set_config('${name}', ${ms}, true)`
type Statement = readonly [text: string, parameters: readonly string[]]
const limitIdleness = limit('idle_in_transaction_session_timeout', '$1')
const limitingIdleness: Statement = [`SELECT ${limitIdleness}`, [String(idleMsMax)]]
const limitingAll: Statement = [
  `SELECT ${limitIdleness}, ${limit('lock_timeout', '$2')}`,
  [String(idleMsMax), String(lockMsMax)],
]

interface Options {
  readonly calls?: number
  readonly endMsMax?: number
  readonly waitsForLocks?: boolean
  readonly readsFirst?: boolean
}

async function repeating<Result>(mayPass: ReadonlySet<string>, run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      const state = sqlStateOf(error)
      if (state !== null && mayPass.has(state) && tries < triesMax) continue
      throw unavailableOr(error)
    }
  }
}

/** @param run calls `commits` when its next query may be stored */
async function once<Result>(
  pool: Pick<Pool, 'client' | 'meter' | 'onLate' | 'renew'>,
  { calls = 1, endMsMax = endMsDefault }: Options,
  run: (client: SQL, commits: () => void) => Promise<Result>,
): Promise<Result> {
  const { client, meter } = pool
  // From here to the answer, a lost connection leaves the outcome unknown.
  let committingSince: number | null = null
  let isGivenUp = false
  const running = run(client, () => {
    if (isGivenUp) throw new GivenUp()
    committingSince = performance.now()
  })
  renewIfSilent(pool, client, running, endMsMax)
  const late = Promise.withResolvers<never>()
  const stopTimer = systemClock.setTimer(endMsMax, () => {
    isGivenUp = true
    pool.onLate()
    const why = `PostgreSQL has not answered for ${endMsMax / 1_000} seconds`
    late.reject(committingSince === null ? new Unavailable(why) : new OutcomeUnknown(why))
  })
  try {
    const result = await Promise.race([running, late.promise])
    if (calls > 0 && committingSince !== null) meter.committed(calls, performance.now() - committingSince)
    return result
  } catch (error) {
    // Nobody waits for a transaction that was given up.
    running.catch(() => {})
    if (sqlStateOf(error) === lockTimeout) pool.onLate()
    if (committingSince === null || !mayHaveCommitted(error)) throw error
    throw new OutcomeUnknown(messageOf(withoutParameters(error)))
  } finally {
    stopTimer()
  }
}

/**
 * The server's codes of a connection that it ends. It may do so after a commit, before it has said so. A statement that
 * was cancelled (57014), for example by a limit of its time, was rolled back.
 */
const endedByServer = /^(08|57(?!014)|58)/

const mayHaveCommitted = (error: unknown) => isConnectionLost(error) || endedByServer.test(sqlStateOf(error) ?? '')

/**
 * Runs one statement outside of any transaction: a read, or a write that may be repeated.
 * @throws Unavailable when the server cannot be reached or does not answer
 */
export async function reading<Result>(
  pool: Pick<Pool, 'client' | 'onLate' | 'renew'>,
  read: () => Promise<Result>,
  endMsMax = endMsDefault,
): Promise<Result> {
  const { client } = pool
  const late = Promise.withResolvers<never>()
  const stopTimer = systemClock.setTimer(endMsMax, () => {
    pool.onLate()
    late.reject(new Unavailable(`PostgreSQL has not answered for ${endMsMax / 1_000} seconds`))
  })
  const answer = read()
  // A short limit, as of a heartbeat, says nothing of the connections; with a long one, the statement may work so long.
  renewIfSilent(pool, client, answer, Math.max(endMsMax, endMsDefault))
  try {
    return await Promise.race([answer, late.promise])
  } catch (error) {
    throw unavailableOr(error)
  } finally {
    stopTimer()
  }
}

/** Gives up connections with a query that does not end, even when nobody waits for it any more. */
function renewIfSilent(pool: Pick<Pool, 'renew'>, client: SQL, answer: Promise<unknown>, afterMs: number): void {
  const stopTimer = systemClock.setTimer(afterMs, () => pool.renew(client))
  answer.then(stopTimer, stopTimer)
}

/**
 * A statement is prepared already (42P05), or is not there (26000): a pooler gives each transaction another connection,
 * and does not keep account of what is prepared on it.
 */
const unprepared = new Set(['42P05', '26000'])
const preparedAdvice =
  'a pooler in between, as PgBouncer before 1.21 or with max_prepared_statements = 0, keeps no prepared statements: ' +
  'add prepare=false to DATABASE_URL'

/**
 * No schema (3F000), table (42P01) or function (42883) of ours is found. pg_dump and pg_restore leave a connection
 * without a search path: through a pooler, others get it after them.
 */
const pathless = new Set(['3F000', '42P01', '42883'])
export const pathAdvice =
  'the tables are not found: if pg_dump or pg_restore ran through a pooler, it has left connections without ' +
  'search_path there. Let the pooler make new ones (RECONNECT in PgBouncer), and run such programs on the server itself'

function unavailableOr(thrown: unknown): unknown {
  const error = withoutParameters(thrown)
  const state = sqlStateOf(error) ?? ''
  if (unprepared.has(state)) return new Unavailable(`${messageOf(error)} (${preparedAdvice})`)
  if (pathless.has(state)) return new Unavailable(`${messageOf(error)} (${pathAdvice})`)
  return isConnectionLost(error) || unavailable.test(state) ? new Unavailable(messageOf(error)) : error
}

/**
 * Drizzle's error repeats the parameters of its statement, which may be secrets. The server's own error says what went
 * wrong.
 */
const withoutParameters = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error)
