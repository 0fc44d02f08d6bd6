import { writeSync } from 'node:fs'
import pino from 'pino'
import { prettyFactory } from 'pino-pretty'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFormat = 'auto' | 'pretty' | 'json'
export type Logger = pino.Logger

/**
 * Names that hold secrets or what people wrote. They are blanked, on the first two levels of an entry, should a caller
 * ever log them.
 */
const secretFields = ['apiSecret', 'accessToken', 'appSecret', 'verifyToken', 'authorization', 'content', 'payload']

/** Some hundreds of lines: enough to tell how a failure began, and copied in no time at each line of a long one. */
const heldBytesMax = 65_536

/**
 * Where lines go: stderr, because stdout belongs to the answer of a command. Writing one never throws: a log that
 * cannot be written (a full disk, a full pipe that says so, one whose reader has gone) may cost lines of the log, never
 * a message or an answer. What could not be written waits for the next line, up to a bound, so that none is cut in two;
 * what comes then is dropped.
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
    // There is nowhere left to say so.
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
  if (!isPretty) return pino({ ...settings, formatters: { level: label => ({ level: label }) } }, log)
  // Not the stream of pino-pretty, which ends itself at the first line that cannot be written.
  const prettify = prettyFactory({ translateTime: 'SYS:yyyy-mm-dd HH:MM:ss', ignore: 'pid,hostname' })
  return pino(settings, { write: line => log.write(prettify(line)) })
}

/** For tests and one-shot commands. */
export const silentLogger: Logger = pino({ level: 'silent' })
