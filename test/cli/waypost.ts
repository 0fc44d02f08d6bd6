import { expect, spyOn } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '../../db/contract/store.ts'
import { lockDatabase } from '../../db/sqlite/lock.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { runProgram } from '../../src/cli/program.ts'
import type { Environment } from '../../src/config/config.ts'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { draft } from '../db/fixtures.ts'
import { openFile } from '../openFile.ts'

/**
 * A process of its own is the executable that `WAYPOST_BINARY` names, as in the normal run: it is what users have.
 * Without it the sources are run, so that nothing has to be built before one folder is tested.
 */
const { WAYPOST_BINARY } = process.env
const program = WAYPOST_BINARY
  ? [resolve(WAYPOST_BINARY)]
  : [process.execPath, resolve(import.meta.dir, '../../src/main.ts')]

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** It was called with `--json`. */
  readonly isJson: boolean
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Run as a process of its own: for what is about processes, as locks and pipes are. */
  readonly asProcess?: boolean
}

let turn: Promise<unknown> = Promise.resolve()

/** One at a time: all commands in the process of the tests have one output and one current folder. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work)
  turn = result.catch(() => {})
  return result
}

/** Runs a command as `src/main.ts` does, in the process of the tests: that takes a third of the processor time. */
async function runHere(
  args: readonly string[],
  { env, folder, stdin }: { env: Environment; folder: string; stdin: string },
): Promise<Omit<Ended, 'isJson'>> {
  const former = { folder: process.cwd(), umask: process.umask(0o077) }
  process.chdir(folder)
  const outputs = [process.stdout, process.stderr].map(captured)
  const input = spyOn(Bun.stdin, 'text').mockResolvedValue(stdin)
  try {
    const code = await runProgram(args, env)
    const [stdout = '', stderr = ''] = outputs.map(({ text }) => text())
    return { code, stdout, stderr }
  } finally {
    for (const { restore } of outputs) restore()
    input.mockRestore()
    process.exitCode = 0
    process.umask(former.umask)
    process.chdir(former.folder)
  }
}

/** Keeps what is written instead of writing it; without colours, which the terminal of who runs tests may have. */
function captured(stream: NodeJS.WriteStream) {
  let written = ''
  const write = spyOn(stream, 'write').mockImplementation((text: unknown, done?: unknown) => {
    written += String(text)
    if (typeof done === 'function') done()
    return true
  })
  return { text: () => Bun.stripANSI(written), restore: () => write.mockRestore() }
}

/** A data folder of its own, and the program run on it with nothing else in its environment. */
export class Deployment {
  #folder: string | null = null

  /** Made when it is asked for: a deployment of a whole file is made when the file is loaded. */
  get folder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'waypost-cli-'))
    return this.#folder
  }

  get dataDir(): string {
    return this.path('data')
  }

  get databasePath(): string {
    return this.path('data/waypost.db')
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  #environment(env: Environment = {}): Environment {
    return { DATA_DIR: this.dataDir, NO_COLOR: '1', ...env }
  }

  spawn(args: readonly string[], { env, stdin = '' }: CallOptions = {}) {
    return Bun.spawn([...program, ...args], {
      cwd: this.folder,
      env: this.#environment(env),
      stdin: Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async run(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
    const ended = await (options.asProcess ? this.#runProcess(args, options) : this.#runHere(args, options))
    return { ...ended, isJson: args.includes('--json') }
  }

  async #runProcess(args: readonly string[], options: CallOptions) {
    const child = this.spawn(args, options)
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { code, stdout, stderr }
  }

  #runHere(args: readonly string[], { env, stdin = '' }: CallOptions) {
    return inTurn(() => runHere(args, { env: this.#environment(env), folder: this.folder, stdin }))
  }

  /** Runs a command that must succeed. @returns the one JSON document on stdout: anything beside it fails here. */
  async json<Shape = unknown>(args: readonly string[], options?: CallOptions): Promise<Shape> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options)
    // On a busy machine a command may wait for another one, and say so.
    if (code !== 0 || stderr.replace(/^Waiting for the database: .*\n/, '') !== '')
      throw new Error(`waypost ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as Shape
  }

  /** Opens the database in this process, as a gateway does. */
  async withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
    mkdirSync(this.dataDir, { recursive: true })
    const store = await openFile(this.databasePath)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Reads what a command prints until its first line is whole; the command goes on. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  return text.slice(0, text.indexOf('\n'))
}

/** docs/commands.md#failures */
const failureCodes = [
  'NOT_FOUND',
  'NO_DATABASE',
  'CONFLICT',
  'NOT_CONFIRMED',
  'WRONG_SETTINGS',
  'UPSTREAM_ERROR',
  'FAILED',
]

/**
 * A command that did not do it: a sentence on stderr, and never a stack; on stdout nothing, or with `--json` one
 * document that says the same.
 */
export function expectRefusal(ended: Ended | undefined, code: 1 | 2, says: string): void {
  expect(ended?.stderr).toContain(says)
  expect(ended?.stderr).not.toContain('    at ')
  expect(ended?.code).toBe(code)
  if (!ended?.isJson) {
    expect(ended?.stdout).toBe('')
    return
  }
  const { error, message } = JSON.parse(ended.stdout)
  expect(code === 1 ? failureCodes : ['WRONG_USE']).toContain(error)
  // Without a command, help is on stderr instead of a sentence.
  if (!says.startsWith('Usage:')) expect(message).toContain(says.trimEnd())
}

export interface Identified {
  readonly id: string
}

/** A workspace with a channel and a line, all made by commands; also beside others with the same account. */
export async function connected(deployment: Deployment) {
  const workspace = await deployment.json<Identified>(['workspace', 'create', '--name', 'Acme'])
  const connect = ['channel', 'connect', '--workspace', workspace.id, '--account-id', SANDBOX.accountId, '--no-verify']
  const secrets = ['--access-token', SANDBOX.accessToken, '--app-secret', SANDBOX.appSecret]
  const channel = await deployment.json<Identified>([...connect, ...secrets, '--also-here'])
  const add = ['line', 'add', '--channel', channel.id, '--upstream-phone-id', SANDBOX.lines[0].upstreamPhoneId]
  const line = await deployment.json<Identified>([...add, '--number', '+1 (555) 078-3881'])
  return { workspaceId: workspace.id, channelId: channel.id, lineId: line.id }
}

/** The same without a process for each, where neither commands nor secrets are the subject. */
export async function seeded(store: Store, accountId = '1') {
  const owner = { workspaceId: newId('ws'), channelId: newId('chan'), lineId: newId('line') }
  const { workspaceId, channelId, lineId } = owner
  const createdAt = systemClock.now()
  const sealed = { sealedAccessToken: '', sealedAppSecret: '', sealedVerifyToken: '' }
  const channel = { id: channelId, workspaceId, accountId, ...sealed, createdAt, updatedAt: createdAt }
  const pace = { perSecond: 0, pairSeconds: 0 }
  const line = { id: lineId, workspaceId, channelId, upstreamPhoneId: accountId, number: '+15550783881', ...pace }
  await store.write.createWorkspace({ id: workspaceId, name: 'Acme', monthlyMessageLimit: null, createdAt })
  await store.write.connectChannel(channel)
  await store.write.addLine({ ...line, active: true, createdAt })
  return owner
}

/** Puts messages into the database as a gateway would: accepted, and not yet handed over, unless it is said. */
export async function queueMessages(
  store: Store,
  owner: { workspaceId: string; channelId: string; lineId: string },
  count: number,
  isHandedOver = false,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('msg'))
  const createdAt = systemClock.now()
  const times = { createdAt, dispatchedAt: isHandedOver ? createdAt : null }
  const recipient = '+15550100200'
  const payload = JSON.stringify({ to: recipient })
  await Promise.all(ids.map(id => store.write.acceptMessage(draft({ ...owner, ...times, id, recipient, payload }))))
  return ids
}

/** Runs `work` beside what a command finds of a gateway that is ready: it answers, and holds the file. */
export async function besideGateway<Result>(
  databasePath: string,
  work: (env: { readonly PORT: string }) => Promise<Result>,
): Promise<Result> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ status: 'ready' }) })
  const unlock = lockDatabase(databasePath)
  try {
    return await work({ PORT: String(server.port) })
  } finally {
    unlock()
    await server.stop(true)
  }
}
