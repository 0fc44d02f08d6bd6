import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { SQL } from 'bun'
import { freePort } from './freePort.ts'

const root = resolve(import.meta.dir, '..')

/** Debian keeps the server's programs out of the PATH. */
const debianFolder = '/usr/lib/postgresql'

function programFolder(): string | null {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map(version => join(debianFolder, version, 'bin'))
  const onPath = Bun.which('initdb')
  if (onPath) folders.unshift(join(onPath, '..'))
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

/** Whether a PostgreSQL server can be started here; tests that need one are skipped where it cannot. */
export const hasPostgres = programFolder() !== null

/** The server refuses to run as root: Debian's package makes this user for it. */
const serverUser = 'postgres'
const readyMsMax = 30_000
/** Between two looks whether it is. */
const pollMs = 5

export interface PostgresServer {
  readonly port: number
  /** Of its own data, its log and its socket. */
  readonly folder: string
  /** Makes an empty database. @returns its URL */
  createDatabase(encoding?: string): Promise<string>
  /** Ends it: `fast` closes connections, `immediate` is a crash. What is stored stays. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Whether it has ended by itself. */
  hasEnded(): boolean
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Ends it and deletes its data. */
  remove(): Promise<void>
}

/**
 * Settings for tests that do not ask what is left after a crash of the server. Commits stay synchronous: VACUUM passes
 * over what others commit later, and the server would plan otherwise.
 */
export const unsynced = { fsync: 'off', full_page_writes: 'off' }

/**
 * Starts a server in a folder of its own, on a free port of the loopback. It syncs to disk as a real one does.
 * @param settings of postgresql.conf, `{ max_connections: '20' }`
 * @param parent of its folder
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<PostgresServer> {
  const programs = programFolder()
  if (programs === null) throw new Error('There is no PostgreSQL here. Install the package postgresql.')
  const isRoot = process.getuid?.() === 0
  const folder = mkdtempSync(join(parent, 'waypost-postgres-'))
  if (isRoot) {
    const id = (flag: string) => Number(Bun.spawnSync(['id', flag, serverUser]).stdout.toString())
    chownSync(folder, id('-u'), id('-g'))
  }
  const asServer = isRoot ? ['setpriv', `--reuid=${serverUser}`, `--regid=${serverUser}`, '--clear-groups'] : []
  const data = join(folder, 'data')
  const call = (...command: readonly string[]) => {
    const { success, stdout, stderr } = Bun.spawnSync([...command], { cwd: folder, env: { PATH: process.env.PATH } })
    if (!success) throw new Error(`${command.join(' ')}: ${stderr}`)
    return stdout.toString().trim()
  }
  // What initdb makes, kept for all servers of this version: a copy takes an eighth of its time. By user: it is readable
  // for its owner alone.
  const initdb = join(programs, 'initdb')
  const version = call(initdb, '--version').replace(/[^\w.]+/g, '-')
  const kept = join(root, 'node_modules/.cache', `${version}-of-${process.getuid?.() ?? 'user'}`)
  if (existsSync(kept)) call('cp', '-a', kept, data)
  else {
    // `--no-sync`: the machine of a test does not lose its power.
    const how = ['--no-sync', '-U', 'waypost', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
    call(...asServer, initdb, ...how, '-D', data)
    // Whole at once, whoever else makes it at this moment.
    const copy = `${kept}.${process.pid}`
    mkdirSync(dirname(kept), { recursive: true })
    call('cp', '-a', data, copy)
    try {
      renameSync(copy, kept)
    } catch {
      rmSync(copy, { recursive: true })
    }
  }

  const port = await freePort()
  const given = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings })
  const args = ['-D', data, '-p', String(port), ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const urlOf = (name: string) => `postgres://waypost@127.0.0.1:${port}/${name}`
  let server: Bun.Subprocess | null = null

  /** As the server says it in its file: a connection that is tried takes more time than the rest of the start. */
  function isReady(): boolean {
    const file = join(data, 'postmaster.pid')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    return Number(lines[0]) === server?.pid && lines[7]?.trim() === 'ready'
  }

  async function start() {
    const log = Bun.file(join(folder, 'server.log'))
    server = Bun.spawn([...asServer, join(programs ?? '', 'postgres'), ...args], {
      cwd: folder,
      stdout: log,
      stderr: log,
    })
    const giveUpAt = performance.now() + readyMsMax
    while (!isReady()) {
      if (server.exitCode !== null || performance.now() > giveUpAt) throw new Error(`PostgreSQL: ${await log.text()}`)
      await Bun.sleep(pollMs)
    }
  }

  async function stop(how: 'fast' | 'immediate' = 'fast') {
    server?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await server?.exited
    server = null
  }

  await start()
  return {
    port,
    folder,
    async createDatabase(encoding = 'UTF8') {
      const name = `waypost_${randomBytes(8).toString('hex')}`
      const client = new SQL({ url: urlOf('postgres'), max: 1 })
      await client.unsafe(
        `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      )
      await client.close()
      return urlOf(name)
    },
    stop,
    hasEnded: () => typeof server?.exitCode === 'number',
    start,
    async remove() {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
