import { writeSync } from 'node:fs'
import pino from 'pino'
import { prettyFactory } from 'pino-pretty'
import { steady } from '../base/terminal.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFormat = 'auto' | 'pretty' | 'json' | 'journald'
export type Logger = pino.Logger

/**
 * Fields that may hold secrets or the texts of people. They are hidden on the first two levels of an entry.
 */
const secretFields = ['apiSecret', 'accessToken', 'appSecret', 'verifyToken', 'authorization', 'content', 'payload']

/** Some hundreds of lines: enough to see how a failure began, and little to copy for each further line. */
const heldBytesMax = 65_536

/**
 * Writes log lines to stderr, because stdout is for the answer of a command. It never throws: when the log cannot be
 * written (a full disk, a full pipe, a reader that has gone), lines may be lost, but never a message or an answer. What
 * could not be written waits for the next line, up to a bound, so that no line is cut in two. Later lines are dropped.
 */
function openLog() {
  let held: Uint8Array = new Uint8Array()
  return {
    write(line: string) {
      held = afterWriting(held)
      if (held.length <= heldBytesMax) held = afterWriting(Buffer.concat([held, Buffer.from(line)]))
    },
  }
}

/** @returns what could not be written */
function afterWriting(bytes: Uint8Array): Uint8Array {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(2, bytes, written)
  } catch {
    // There is no other place to report it.
  }
  return bytes.subarray(written)
}

export function createLogger(options: { level: LogLevel; format: LogFormat }): Logger {
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && process.stderr.isTTY === true)
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap(name => [name, `*.${name}`]), censor: '(hidden)' },
  }
  const log = openLog()
  if (!isPretty) {
    const named = { ...settings, formatters: { level: (label: string) => ({ level: label }) } }
    return pino(named, options.format === 'journald' ? withPriorities(log) : log)
  }
  // Not the stream of pino-pretty: it ends at the first line that cannot be written.
  const prettify = prettyFactory({ translateTime: 'SYS:yyyy-mm-dd HH:MM:ss', ignore: 'pid,hostname' })
  return pino(settings, { write: line => log.write(steady(prettify(line))) })
}

/** The priorities of syslog by the number of pino's level: sd-daemon(3), and pino's `levels`. */
const priorities: Readonly<Record<number, number>> = { 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 }

/** The journal takes the priority off a line that begins with it: `journalctl -p warning` shows such lines alone. */
const withPriorities = (log: { write(line: string): void }) => ({
  // Makes Pino set `lastLevel` to the level of each line.
  [Symbol.for('pino.metadata')]: true,
  lastLevel: pino.levels.values.info ?? 30,
  write(line: string) {
    log.write(`<${priorities[this.lastLevel] ?? 6}>${line}`)
  },
})

/** For tests and one-shot commands. */
export const silentLogger: Logger = pino({ level: 'silent' })
