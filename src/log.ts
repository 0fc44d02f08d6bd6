import pino from 'pino'
import pretty from 'pino-pretty'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFormat = 'auto' | 'pretty' | 'json'
export type Logger = pino.Logger

/**
 * Names that hold secrets or what people wrote. They are blanked, on the first two levels of an entry, should a caller
 * ever log them.
 */
const secretFields = ['apiSecret', 'accessToken', 'appSecret', 'verifyToken', 'authorization', 'content', 'payload']

/** Logs go to stderr: stdout belongs to the answer of a command. */
export function createLogger(options: { level: LogLevel; format: LogFormat }): Logger {
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && process.stderr.isTTY === true)
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap(name => [name, `*.${name}`]), censor: '(hidden)' },
  }
  return isPretty
    ? pino(settings, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }))
    : pino(
        { ...settings, formatters: { level: label => ({ level: label }) } },
        pino.destination({ dest: 2, sync: true }),
      )
}

/** For tests and one-shot commands. */
export const silentLogger: Logger = pino({ level: 'silent' })
