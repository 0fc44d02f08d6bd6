import { binary } from '../../executable.ts'

export type Environment = Readonly<Record<string, string>>

/** What every gateway here is started with: any port, and no limits of requests. */
export const environment: Environment = {
  PATH: '/usr/bin:/bin',
  PORT: '0',
  LOG_FORMAT: 'json',
  PUBLIC_IP_RATE_LIMIT: '0',
  PUBLIC_API_KEY_RATE_LIMIT: '0',
}

/** One run of `waypost serve`, from its start to its end. */
export interface Serving {
  /** When the process was started, by the clock of the machine. */
  readonly startedAt: number
  readonly pid: number
  /** Resolves with its address once it serves; with null when it ends before. */
  readonly ready: Promise<string | null>
  readonly ended: Promise<number>
  /** What it has written so far; all of it once it has ended. */
  stderr(): string
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number>
}

/** How a gateway is started. */
export interface Start {
  readonly env: Environment
  /** A command that runs the rest of its own command line, `setpriv … --`. */
  readonly wrapper?: readonly string[]
  /** The executable that is tested, when it is not given. */
  readonly program?: readonly string[]
  /** `/` when it is not given. */
  readonly cwd?: string
}

/** Starts the gateway with nothing but these settings in its environment. */
export function serve({ env, wrapper = [], program = [binary, 'serve'], cwd = '/' }: Start): Serving {
  const startedAt = Date.now()
  const child = Bun.spawn([...wrapper, ...program], {
    cwd,
    env: { ...environment, ...env },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const ready = Promise.withResolvers<string | null>()
  let text = ''
  let isReady = false
  const read = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true })
      if (isReady) continue
      const url = addressIn(text)
      isReady = url !== null
      if (url !== null) ready.resolve(url)
    }
    ready.resolve(null)
  })()
  const ended = Promise.all([child.exited, read]).then(([code]) => code)
  return {
    startedAt,
    pid: child.pid,
    ready: ready.promise,
    ended,
    stderr: () => text,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** @returns the address in the line that says so; null while it has not come, whole, yet. */
function addressIn(log: string): string | null {
  const line = log.split('\n').find(entry => entry.includes('the gateway is ready') && entry.endsWith('}'))
  return line === undefined ? null : (JSON.parse(line) as { url: string }).url
}
