import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX } from '../../../src/sandbox/server.ts'
import { firstLine } from '../../cli/waypost.ts'
import { assignment, type Block, reasonNotRun, statements } from '../../docs/blocks.ts'
import { binary, ensureBuilt } from '../../executable.ts'
import { freePort } from '../../freePort.ts'

/** What `waypost sandbox --gateway --json` prints. */
export interface Kit {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly control: string
}

/** Ids and keys that a document leaves open (`ws_…`), as a reader copies them from what was printed last. */
const copied = /\b(ws|chan|line|key|contact|msg|tpl|hook|pk|sk)_[0-9A-Za-z]{16,}\b|\bwamid\.[\w=+/-]+/g
const background = /^((?:[A-Z_]+=\S+ )*)waypost ((?:serve|sandbox)\b[^#&]*)/
const shown = 2_000

/**
 * Somebody who follows a document: an empty folder, the executable in the path, and a sandbox in place of Meta. Each
 * command is run as it stands, with the ids that the commands before it have printed.
 */
export class Reader {
  readonly folder = mkdtempSync(join(tmpdir(), 'waypost-reader-'))
  readonly kit: Kit
  readonly #kitProcess: Bun.Subprocess
  readonly #ids = new Map<string, string>()
  readonly #places = new Map<string, string>()
  readonly #port: number
  /** Variables of the shell, for the commands that follow. */
  readonly #variables: string[] = []
  /** Those that are exported, for what runs on as well. */
  readonly #exported: Record<string, string> = {}
  readonly #running: Bun.Subprocess[] = []

  static async start(): Promise<Reader> {
    ensureBuilt()
    const process = Bun.spawn([binary, 'sandbox', '--gateway', '--json', '--port=0', '--gateway-port=0'], {
      env: {},
      stdout: 'pipe',
      stderr: 'inherit',
    })
    return new Reader(process, JSON.parse(await firstLine(process.stdout)) as Kit)
  }

  private constructor(kitProcess: Bun.Subprocess, kit: Kit) {
    this.#kitProcess = kitProcess
    this.kit = kit
    this.#port = freePort()
    this.#harvest(JSON.stringify(kit))
    const bin = join(this.folder, 'bin')
    mkdirSync(bin)
    symlinkSync(binary, join(bin, 'waypost'))
    // A refusal must end the command. What a reader sees on the screen, the exit code says here.
    writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec ${Bun.which('curl')} --fail-with-body -sS "$@"\n`)
    chmodSync(join(bin, 'curl'), 0o755)
    writeFileSync(join(this.folder, 'token.txt'), SANDBOX.accessToken)
    writeFileSync(join(this.folder, 'app-secret.txt'), SANDBOX.appSecret)
    this.place('1234567890', SANDBOX.accountId)
    this.place('1098765432', SANDBOX.lines[0].upstreamPhoneId)
    this.place('+4930123456', SANDBOX.lines[0].number)
    this.place('http://127.0.0.1:8090', new URL(kit.control).origin)
    this.gatewayIs(kit.url)
  }

  /** What a document's example stands for here. */
  place(example: string, real: string): void {
    this.#places.set(example, real)
  }

  gatewayIs(url: string): void {
    this.place('http://127.0.0.1:8080', url)
    this.place('https://gateway.example.com', url)
  }

  /** What a reader types: the document's text with the reader's own values. */
  typed(text: string): string {
    const placed = [...this.#places].reduce((all, [example, real]) => all.replaceAll(example, real), text)
    return placed.replace(/\b(ws|chan|line|contact|msg|tpl|hook|pk|sk)_…|\bwamid\.…/g, word => {
      const id = this.#ids.get(word.replace(/[_.]…$/, ''))
      if (id === undefined) throw new Error(`nothing printed a ${word} before it is asked for`)
      return id
    })
  }

  get env(): Record<string, string> {
    return {
      PATH: `${join(this.folder, 'bin')}:/usr/bin:/bin`,
      HOME: this.folder,
      DATA_DIR: join(this.folder, 'data'),
      // Else the doctor finds that there are no backups, which a reader would see to.
      BACKUP_DIR: join(this.folder, 'backups'),
      PORT: String(this.#port),
      LOG_FORMAT: 'json',
      NO_COLOR: '1',
      CHANNEL_API_URL: new URL(this.kit.control).origin,
      PUBLIC_API_KEY_RATE_LIMIT: '0',
      PUBLIC_IP_RATE_LIMIT: '0',
      ...this.#exported,
    }
  }

  /** Runs a block of shell lines. @throws Error with the command and what it printed when one fails */
  async follow(block: Block): Promise<string> {
    if (reasonNotRun(block) !== null) throw new Error('this block is not to be run')
    const printed: string[] = []
    for (const statement of statements(block)) printed.push(await this.run(statement))
    return printed.join('')
  }

  async run(statement: string): Promise<string> {
    const command = this.typed(statement)
    const [, settings = '', words] = background.exec(command) ?? []
    if (words !== undefined) return this.#begin(settings, words)
    const script = ['set -euo pipefail', ...this.#variables, command].join('\n')
    const child = Bun.spawn(['bash', '-c', script], {
      cwd: this.folder,
      env: this.env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${(stdout + stderr).slice(-shown)}`)
    this.#harvest(stdout)
    const [, name, value] = assignment.exec(command.replace(/^export /, '')) ?? []
    if (name === undefined || value === undefined) return stdout
    if (command.startsWith('export ')) this.#exported[name] = value
    else this.#variables.push(command)
    return stdout
  }

  /** Starts what runs on, and waits until it is ready. */
  async #begin(settings: string, words: string): Promise<string> {
    const own = Object.fromEntries(settings.split(' ').flatMap(each => (each === '' ? [] : [each.split('=')])))
    const child = Bun.spawn([binary, ...words.trim().split(/\s+/)], {
      cwd: this.folder,
      env: { ...this.env, ...own },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.#running.push(child)
    if (words.startsWith('sandbox')) return `${await firstLine(child.stdout)}\n`
    const ready = await lineWith(child.stderr, 'the gateway is ready')
    this.gatewayIs((JSON.parse(ready) as { url: string }).url)
    return `${ready}\n`
  }

  async stopServing(): Promise<void> {
    for (const child of this.#running.splice(0)) {
      child.kill('SIGTERM')
      await child.exited
    }
  }

  #harvest(printed: string): void {
    for (const [id, kind = 'wamid'] of printed.matchAll(copied)) this.#ids.set(kind, id)
  }

  async leave(): Promise<void> {
    await this.stopServing()
    this.#kitProcess.kill('SIGTERM')
    await this.#kitProcess.exited
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Waits for a line, and reads what follows as well: a full pipe would stop the program. */
async function lineWith(stream: ReadableStream<Uint8Array>, words: string): Promise<string> {
  const found = Promise.withResolvers<string>()
  void (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      const line = text.split('\n').find(each => each.includes(words))
      if (line !== undefined) found.resolve(line)
    }
    found.reject(new Error(`it ended without "${words}":\n${text.slice(-shown)}`))
  })()
  return found.promise
}
