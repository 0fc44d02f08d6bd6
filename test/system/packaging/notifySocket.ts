import { join } from 'node:path'
import { library, program } from '../../programs.ts'

/** The runtime has no datagram sockets of the file system; Python has. */
export const notifyNeeds = [program('python3'), library('libsystemd.so.0', 'sd_notify')] as const

/** More than any test or run has notifications. */
const notificationsMax = 10_000

/** A socket as that of systemd, which says what it is told. */
export interface NotifySocket {
  readonly env: Readonly<Record<string, string>>
  /** Resolves with the next thing that is told. */
  next(): Promise<string>
  close(): void
}

/** @returns once it listens */
export async function openNotifySocket(path: string): Promise<NotifySocket> {
  const script = join(import.meta.dir, 'notifySocket.py')
  const command = ['python3', script, path, String(notificationsMax)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const lines = linesOf(child.stdout)
  const next = async () => {
    const { done, value } = await lines.next()
    if (done) throw new Error('systemd is told nothing more')
    return value
  }
  await next()
  return { env: { NOTIFY_SOCKET: path }, next, close: () => child.kill('SIGKILL') }
}

/** What a process prints, line by line: one line may come in several pieces. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
