import { type Clock, systemClock } from '../base/clock.ts'
import { steady } from '../base/terminal.ts'

/** The outputs of a command: standard output for its answer, standard error for failures. */
export interface Output {
  /**
   * Resolves once all of it is written to the system, however slowly it is read. When the reader closes the output
   * (`waypost message list | head -1`), nothing more is written and nothing is thrown.
   * @param isFile it is the content of a file, which stays as it is: only what a terminal shows is made steady then
   * @throws Error when it cannot be written, for example on a full disk
   */
  write(text: string, isFile?: boolean): Promise<void>
  /** Resolves once everything given to `write` is written, or has failed. */
  finished(): Promise<void>
  /** Resolves when the reader has gone, for commands that run until then. */
  readonly closed: Promise<void>
}

/**
 * The only way to write: `Bun.write(Bun.stdout, …)` writes a part of a long text twice after `process.stdout` was used,
 * which libraries do.
 */
function openOutput(stream: NodeJS.WriteStream): Output {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let last: Promise<void> = Promise.resolve()
  // The callback of the write also gets each failure. Without this listener it would end the process.
  stream.on('error', () => {})

  const writeNow = (text: string, isFile: boolean) =>
    new Promise<void>((resolve, reject) => {
      stream.write(isFile && !stream.isTTY ? text : steady(text), error => {
        if (!error) return resolve()
        if (!isClosedPipe(error)) return reject(error)
        close()
        resolve()
      })
    })

  return {
    closed,
    write(text, isFile = false) {
      const written = writeNow(text, isFile)
      last = Promise.allSettled([last, written]).then(() => {})
      return written
    },
    finished: () => last,
  }
}

const isClosedPipe = (error: Error) => 'code' in error && error.code === 'EPIPE'

export const output: Output = openOutput(process.stdout)
export const errorOutput: Output = openOutput(process.stderr)

/** A line is news for who waits, and an hour of work is some hundreds of lines. */
const everyMs = 5_000

/**
 * @returns tells how far a long work is, on standard error: the answer stands alone on standard output. What ends
 *   within the first seconds tells nothing
 */
export function progress(
  clock: Pick<Clock, 'steady'> = systemClock,
  { write }: Pick<Output, 'write'> = errorOutput,
): (line: string) => Promise<void> {
  let toldAt = clock.steady()
  return async line => {
    if (clock.steady() - toldAt < everyMs) return
    toldAt = clock.steady()
    await write(`${line}\n`)
  }
}
