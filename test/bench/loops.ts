import { constants, setPriority } from 'node:os'
import { announce } from './processes.ts'
import { fixedNumber, mark } from './traffic.ts'

/*
 * Asks a gateway for the same in loops, each as soon as it is answered, and drops what comes.
 * bun test/bench/loops.ts
 * A PUT of the announced address with what is asked begins, and a DELETE tells the answers by status, once the last one
 * is there: what nobody waits for any more would go on.
 */

/** One request. */
export interface Request {
  readonly method: string
  /** `mark` in it, and in the body, is another number each time. */
  readonly path: string
  readonly body?: string
  /** In place of a body: a form with a file of so many bytes, or these bytes alone. */
  readonly file?: { readonly bytes: number; readonly type: string; readonly form: boolean }
}

export interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** One after another, over and over. */
  readonly requests: readonly Request[]
  readonly loops: number
}

/** The statuses of answers, with how often each came. */
export type Answered = Readonly<Record<string, number>>

let lastNumber = 0

function bodyOf({ body, file }: Request, number: string): { body?: string | Blob | FormData; type?: string } {
  if (body !== undefined) return { body: body.replaceAll(mark, number), type: 'application/json' }
  if (file === undefined) return {}
  const blob = new Blob([bytesOf(file.bytes)], { type: file.type })
  if (!file.form) return { body: blob, type: file.type }
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', blob, 'file')
  return { body: form }
}

const made = new Map<number, Uint8Array<ArrayBuffer>>()
/** @returns what looks like a document to whoever looks at its beginning */
function bytesOf(count: number): Uint8Array<ArrayBuffer> {
  const bytes = made.get(count) ?? new Uint8Array(count).fill(32)
  bytes.set(new TextEncoder().encode('%PDF-1.4 '))
  made.set(count, bytes)
  return bytes
}

if (import.meta.main) {
  // In life they have a machine of their own: here they get what the gateway and its neighbour leave.
  setPriority(constants.priority.PRIORITY_LOW)
  let isOver = false
  let running: Promise<void>[] = []
  const answered: Record<string, number> = {}
  async function ask({ url, headers, requests }: Asked) {
    while (!isOver) {
      lastNumber += 1
      const request = requests[lastNumber % requests.length]
      if (!request) throw new Error('nothing is asked')
      const number = fixedNumber(lastNumber)
      const { body, type } = bodyOf(request, number)
      const answer = await fetch(url + request.path.replaceAll(mark, number), {
        ...{ method: request.method, headers: { ...headers, ...(type && { 'content-type': type }) } },
        ...(body && { body }),
      }).catch(() => null)
      const read = await answer?.bytes().catch(() => null)
      if (answer && read) answered[answer.status] = (answered[answer.status] ?? 0) + 1
    }
  }
  const control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      if (request.method === 'PUT') {
        const asked = (await request.json()) as Asked
        isOver = false
        for (const status in answered) delete answered[status]
        running = Array.from({ length: asked.loops }, () => ask(asked))
        return new Response()
      }
      isOver = true
      await Promise.all(running)
      return Response.json(answered satisfies Answered)
    },
  })
  announce({ url: control.url.href })
}
