import { Elysia } from 'elysia'
import { announce } from '../processes.ts'
import type { Job, Numbered, Stored } from './messages.ts'

/*
 * The gateway's threads and nothing else, to see what the design leaves for the gateway to spend: takes whoever has a key,
 * stores the message, sends it, stores the answer, answers. Nothing is checked, limited, counted or found again.
 * bun test/bench/skeleton/http.ts <address of the upstream's messages> <database file>
 */

const [target = '', path = ''] = process.argv.slice(2)

/** Calls to a thread, posted together once in a turn. */
class Calls<Argument, Answer> {
  readonly #thread: Worker
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #outbox: Numbered<Argument>[number][] = []
  #lastId = 0

  private constructor(thread: Worker) {
    this.#thread = thread
    thread.onmessage = ({ data }: MessageEvent<string>) => {
      for (const [id, answer] of JSON.parse(data) as Numbered<Answer>) {
        this.#waiting.get(id)?.(answer)
        this.#waiting.delete(id)
      }
    }
  }

  static async to<Argument, Answer>(file: string, options: object): Promise<Calls<Argument, Answer>> {
    const thread = new Worker(new URL(file, import.meta.url).href)
    // What comes before it listens is lost: it says when it does.
    await new Promise(resolve => {
      thread.onmessage = resolve
    })
    thread.postMessage(JSON.stringify(options))
    return new Calls(thread)
  }

  ask(argument: Argument): Promise<Answer> {
    this.#lastId += 1
    const id = this.#lastId
    if (this.#outbox.length === 0) setImmediate(() => this.#post())
    this.#outbox.push([id, argument])
    return new Promise(resolve => this.#waiting.set(id, resolve))
  }

  #post(): void {
    this.#thread.postMessage(JSON.stringify(this.#outbox))
    this.#outbox = []
  }
}

const writer = await Calls.to<Stored, null>('./writer.ts', { path })
const sender = await Calls.to<Job, string>('./sender.ts', { target })
let sends = 0

const app = new Elysia().post(
  '/api/v1/public/messages/send',
  async ({ request }) => {
    if (request.headers.get('apikey') === null) return new Response(null, { status: 401 })
    const { phone, content } = (await request.json()) as { phone: string; content: string }
    sends += 1
    const id = `msg_${String(sends).padStart(26, '0')}`
    const payload = JSON.stringify({
      messaging_product: 'whatsapp',
      to: phone,
      type: 'text',
      text: { body: content },
      biz_opaque_callback_data: id,
    })
    await writer.ask({ kind: 'accepted', id, recipient: phone, payload, at: Date.now() })
    const channelMessageId = await sender.ask({ payload })
    await writer.ask({ kind: 'sent', id, channelMessageId, at: Date.now() })
    const body = JSON.stringify({ success: true, data: { id, status: 'SENT', channelMessageId } })
    return new Response(body, { status: 201, headers: { 'content-type': 'application/json' } })
  },
  { parse: 'none' },
)
app.listen({ hostname: '127.0.0.1', port: 0 })
announce({ url: `http://127.0.0.1:${app.server?.port}` })
