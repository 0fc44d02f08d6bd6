import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type HeldUpstream, startHeldUpstream } from './heldUpstream.ts'

setDefaultTimeout(hungAfterMs)

const RealWorker = globalThis.Worker
/** Every post between threads that carries calls or answers, as it was made. */
let crossings: string[]

/** What a send asks of the threads. Jobs ask at times of their own, and are not counted. */
const sendVerbs = ['acceptMessage', 'clearMessages', 'deferMessages', 'recordEvent', 'send']

interface Post {
  readonly kind: string
  readonly calls?: readonly { readonly id: number; readonly verb: string }[]
  readonly answers?: readonly { readonly id: number }[]
}

/** Writes down what a send asks of it, and its answers to that. */
class CountedWorker extends RealWorker {
  constructor(url: string | URL) {
    super(url)
    const name = String(url).includes('writer') ? 'writer' : 'sender'
    const asked = new Set<number>()
    this.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { answers = [] } = JSON.parse(data) as Post
      if (answers.some(({ id }) => asked.delete(id))) crossings.push(`${name} answers`)
    })
    const post = this.postMessage.bind(this)
    this.postMessage = (text: string) => {
      const { calls = [] } = JSON.parse(text) as Post
      const counted = calls.filter(({ verb }) => sendVerbs.includes(verb))
      for (const { id } of counted) asked.add(id)
      if (counted.length > 0) crossings.push(`${name}: ${counted.map(({ verb }) => verb)}`)
      post(text)
    }
  }
}

let upstream: HeldUpstream
let gateway: TestGateway
beforeEach(async () => {
  crossings = []
  globalThis.Worker = CountedWorker
  upstream = startHeldUpstream()
  upstream.release()
  gateway = await startTestGateway({ upstream, env: { SEND_WORKERS: '1' } })
})
afterEach(async () => {
  await gateway.stop()
  await upstream.stop()
  globalThis.Worker = RealWorker
})

test('a message that does not wait crosses between threads six times', async () => {
  const line = await gateway.addLine({ perSecond: 0, pairSeconds: 0 })
  crossings = []
  const { json } = await gateway.send({
    type: 'text',
    phone: '+15550100200',
    content: 'Hello',
    phoneNumberId: line.id,
  })
  expect(json.data.status).toBe('SENT')
  expect(crossings).toEqual([
    'writer: acceptMessage',
    'writer answers',
    'sender: send',
    'sender answers',
    'writer: recordEvent',
    'writer answers',
  ])
})

test('a message that waits for its turn crosses eight times', async () => {
  await gateway.stop()
  const clock = new ManualClock()
  gateway = await startTestGateway({ upstream, clock, env: { SEND_WORKERS: '1' } })
  const line = await gateway.addLine({ perSecond: 1, pairSeconds: 0 })
  const send = (content: string) =>
    gateway.send({ type: 'text', phone: '+15550100200', content, phoneNumberId: line.id })
  await send('first')
  crossings = []
  const second = send('second')
  await eventually(() => expect(crossings.at(-1)).toBe('writer answers'))
  clock.advance(1_000)
  expect((await second).json.data.status).toBe('SENT')
  await eventually(() => expect(crossings.at(-1)).toBe('writer answers'))
  expect(crossings).toEqual([
    'writer: acceptMessage',
    'writer answers',
    'writer: clearMessages',
    'writer answers',
    'sender: send',
    'sender answers',
    'writer: recordEvent',
    'writer answers',
  ])
})
