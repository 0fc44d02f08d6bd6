import { isOwnMachine } from '../base/network.ts'

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

/** The parameters that name the server or the database: one given twice, or in the environment, must not win. */
const partsOfAddress = ['user', 'username', 'password', 'dbname', 'database', 'hostname', 'hostaddr', 'port'] as const
const socketParameters = ['host', 'path', 'socket'] as const
const defaultPort = 5432

const shape =
  'must look like postgres://user:password@host:5432/database, with the special characters of user and password ' +
  'percent-encoded (@ is %40, / is %2F, # is %23, ? is %3F, % is %25)'

/** What is wrong with a URL, as the rule that it breaks. It never repeats the URL, which holds a password. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError'
}

/**
 * The address of a PostgreSQL database. The password stays inside: whatever prints or logs it shows host and database.
 */
export class DatabaseUrl {
  readonly #href: string
  readonly host: string
  readonly port: number
  readonly database: string
  /** Null: the server is reached over TCP. Else the folder of its Unix socket. */
  readonly socketFolder: string | null
  readonly sslMode: SslMode
  /** The certificates that the server's is checked with. Null: those of well-known authorities. */
  readonly caFile: string | null

  /** @throws DatabaseUrlError */
  constructor(text: string) {
    if (!/^postgres(ql)?:\/\//i.test(text)) {
      throw new DatabaseUrlError(
        'must begin with postgres:// or postgresql:// (left out, the database is a SQLite file)',
      )
    }
    const url = URL.parse(text)
    const database = url && decoded(url.pathname.slice(1))
    const isWhole = url && url.hash === '' && !/[%,]/.test(url.hostname) && !url.pathname.slice(1).includes('/')
    if (!isWhole || database === null || decoded(url.username) === null || decoded(url.password) === null) {
      throw new DatabaseUrlError(shape)
    }
    if (url.username === '') throw new DatabaseUrlError(`names no user: it ${shape}`)
    if (database === '') throw new DatabaseUrlError(`names no database: it ${shape}`)
    this.socketFolder = socketFolderOf(url.searchParams)
    this.sslMode = sslModeOf(url.searchParams)
    this.caFile = url.searchParams.get('sslrootcert')
    if (this.caFile !== null && !this.verifiesServer) {
      throw new DatabaseUrlError('has sslrootcert, which is used with sslmode=verify-full or verify-ca only')
    }
    this.database = database
    this.host = url.hostname.replace(/^\[|\]$/g, '') || 'localhost'
    this.port = Number(url.port || defaultPort)
    // Both are set explicitly, so that PGPORT and PGSSLMODE of the environment are ignored.
    url.port = String(this.port)
    if (!url.searchParams.has('sslmode')) url.search += `${url.search === '' ? '?' : '&'}sslmode=${this.sslMode}`
    this.#href = url.href
  }

  get verifiesServer(): boolean {
    return this.sslMode === 'verify-ca' || this.sslMode === 'verify-full'
  }

  /** Whether what is sent to the server leaves this machine. */
  get isRemote(): boolean {
    return this.socketFolder === null && !isOwnMachine(this.host)
  }

  /** For people: without user and password. */
  get place(): string {
    const host = this.host.includes(':') ? `[${this.host}]` : this.host
    return `the database ${this.database} on ${this.socketFolder ?? `${host}:${this.port}`}`
  }

  toString(): string {
    return this.place
  }

  /** What the driver connects with. Holds the password. */
  get driverOptions(): { url: string; database: string; tls?: { rejectUnauthorized: true } } {
    return {
      url: this.#href,
      // The driver prefers PGDATABASE of the environment to the database of a URL.
      database: this.database,
      // NODE_TLS_REJECT_UNAUTHORIZED must not end a check that the operator asked for.
      ...(this.verifiesServer && { tls: { rejectUnauthorized: true as const } }),
    }
  }
}

/** @returns null when the text is not percent-encoded */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function socketFolderOf(parameters: URLSearchParams): string | null {
  const twice = partsOfAddress.find(name => parameters.has(name))
  if (twice !== undefined) throw new DatabaseUrlError(`has ${twice} behind the question mark: it ${shape}`)
  const folder = socketParameters.map(name => parameters.get(name)).find(value => value !== null) ?? null
  if (folder !== null && !folder.startsWith('/')) {
    throw new DatabaseUrlError('has a host behind the question mark that is not the folder of a Unix socket')
  }
  return folder
}

function sslModeOf(parameters: URLSearchParams): SslMode {
  const other = ['ssl', 'tls'].find(name => parameters.has(name))
  if (other !== undefined) throw new DatabaseUrlError(`has ${other}: say sslmode=verify-full instead`)
  const given = parameters.get('sslmode')
  const mode = given === null ? 'disable' : sslModes.find(known => known === given)
  if (mode === undefined) throw new DatabaseUrlError(`has an sslmode that is not one of ${sslModes.join(', ')}`)
  return mode
}
