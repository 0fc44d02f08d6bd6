import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const secrets = ['apiSecret', 'accessToken', 'appSecret', 'verifyToken', 'authorization', 'content', 'payload']

/** Logs each secret on both levels, in a process of its own, because logs go to its stderr. */
async function logged(format: 'json' | 'pretty' | 'journald'): Promise<string> {
  const program = `
    const { createLogger } = await import(${JSON.stringify(`${import.meta.dir}/../../src/telemetry/log.ts`)})
    const log = createLogger({ level: 'info', format: '${format}' })
    for (const name of ${JSON.stringify(secrets)}) log.info({ [name]: 'open-sesame', job: { [name]: 'open-sesame' } }, name)`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(stdout).toBe('')
  return stderr
}

test.each(['json', 'pretty', 'journald'] as const)(
  'what is secret, or what people wrote, is hidden from the log: %s',
  async format => {
    const text = await logged(format)
    expect(text).not.toContain('open-sesame')
    expect(text.match(/\(hidden\)/g)).toHaveLength(2 * secrets.length)
    for (const name of secrets) expect(text).toContain(name)
  },
)

test('journald: each line begins with its priority, and the rest is the line of json', async () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(`${import.meta.dir}/../../src/telemetry/log.ts`)})
    const log = createLogger({ level: 'debug', format: 'journald' })
    for (const level of ['debug', 'info', 'warn', 'error', 'fatal']) log.child({ of: 'a child' })[level]({ level }, 'two\\nlines')`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'ignore', stderr: 'pipe' })
  const lines = (await child.stderr.text()).trimEnd().split('\n')
  expect(lines.map(line => line.slice(0, 4))).toEqual(['<7>{', '<6>{', '<4>{', '<3>{', '<2>{'])
  expect(JSON.parse(lines[3]?.slice(3) ?? '')).toMatchObject({ level: 'error', msg: 'two\nlines' })
})

/** A device that is always full, and pipes that have names: on Linux, for everybody. */
describe.skipIf(process.platform !== 'linux')('a log that cannot be written harms nobody who logs', () => {
  const formats = ['json', 'pretty'] as const
  const lineCount = 30_000
  /** More than a pipe and the held lines take together. */
  const burst = `
    const { createLogger } = await import(${JSON.stringify(`${import.meta.dir}/../../src/telemetry/log.ts`)})
    const log = createLogger({ level: 'info', format: process.argv.at(-1) })
    for (let count = 0; count < ${lineCount}; count += 1) log.info({ count, filler: '-'.repeat(50) }, 'a line')`

  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-log-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function pipe(): string {
    const path = join(folder, 'pipe')
    expect(Bun.spawnSync(['mkfifo', path]).success).toBe(true)
    return path
  }

  async function run(program: string, format: string, stderr: number | 'ignore') {
    const child = Bun.spawn([process.execPath, '-e', program, format], { stdout: 'pipe', stderr })
    const [stdout, code] = await Promise.all([child.stdout.text(), child.exited])
    return { stdout, code }
  }

  const sinks: readonly [name: string, open: () => number][] = [
    ['a full disk', () => openSync('/dev/full', 'w')],
    [
      'a pipe whose reader has gone',
      () => {
        const path = pipe()
        const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
        const writer = openSync(path, 'w')
        closeSync(reader)
        return writer
      },
    ],
  ]
  describe.each(sinks)('%s', (_, open) => {
    test.each(formats)('%s', async format => {
      const sink = open()
      const ended = await run(`${burst}; console.log('done')`, format, sink)
      closeSync(sink)
      expect(ended).toEqual({ stdout: 'done\n', code: 0 })
    })
  })

  const whatWaits = 'a pipe that nobody empties: what it cannot take waits, up to a bound, for when it is emptied: %s'
  test.each(formats)(whatWaits, async format => {
    // The one that is handed over would be made to wait for its reader; the lowest free number is that of stderr.
    const program = `
      const { closeSync, constants, openSync, readSync } = await import('node:fs')
      closeSync(2)
      const pipe = openSync(${JSON.stringify(pipe())}, constants.O_RDWR | constants.O_NONBLOCK)
      ${burst}
      const buffer = Buffer.alloc(65536)
      let text = ''
      const empty = () => { try { for (;;) text += buffer.toString('utf8', 0, readSync(pipe, buffer)) } catch {} }
      for (let round = 0; round < 100; round += 1) { empty(); log.info('the pipe was emptied') }
      empty()
      console.log(JSON.stringify({ pipe, bytes: text.length, last: text.trimEnd().split('\\n').at(-1) }))`
    const { stdout, code } = await run(program, format, 'ignore')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('the pipe was emptied') })
    const { pipe: number, bytes } = JSON.parse(stdout) as { pipe: number; bytes: number }
    expect(number).toBe(2)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(200_000)
  })
})
