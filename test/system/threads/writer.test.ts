import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { eventually } from '../../eventually.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { type Serving, serve } from '../crash/serving.ts'
import { messageIds, repeated } from './heldUpstream.ts'
import type { Death } from './killable.ts'
import { type Seeded, seedFolder } from './seeded.ts'

setDefaultTimeout(hungAfterMs)

/** `silence` is the worst of them: the send is on disk, and nobody got an answer. */
const deaths: readonly Death[] = ['throw', 'reject', 'exit', 'silence']
const clientCount = 16

let upstream: Upstream
let seeded: Seeded
let serving: Serving

beforeEach(async () => {
  upstream = startUpstream()
  seeded = await seedFolder(upstream)
})
afterEach(async () => {
  await serving.end('SIGKILL')
  seeded.remove()
  await upstream.stop()
})

const file = (name: string) => resolve(import.meta.dir, name)
const serveKillable = (death: Death) =>
  serve({ env: env(), program: [process.execPath, file('serveKillable.ts'), death] })
const serveOrdinary = () => serve({ env: env(), program: [process.execPath, file('../../../src/main.ts'), 'serve'] })
const env = () => ({ DATA_DIR: seeded.dataDir, CHANNEL_API_URL: upstream.url })

interface Answer {
  readonly status: number
  readonly error?: string
  readonly id?: string
}

/** @returns what the gateway answered; null when it cut the connection. */
async function send(url: string, idempotencyKey: string): Promise<Answer | null> {
  try {
    const response = await fetch(`${url}/api/v1/public/messages/send`, {
      method: 'POST',
      headers: { ...seeded.key, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'text', phone: '+15550100200', content: idempotencyKey, idempotencyKey }),
    })
    const { error, data } = (await response.json()) as { error?: string; data?: { id: string } }
    return { status: response.status, ...(error && { error }), ...(data && { id: data.id }) }
  } catch {
    return null
  }
}

/** Whether what a client was answered agrees with what the next gateway, asked the same again, makes of it. */
function agree(answer: Answer | null, replay: Answer | null): boolean {
  if (answer === null) return replay?.status === 200 || replay?.status === 201
  if (answer.status === 201) return replay?.status === 200 && replay.id === answer.id
  // "Nothing was accepted" has to be true: a client that repeats it under another key would send twice.
  if (answer.error === 'SERVICE_UNAVAILABLE') return replay?.status === 201
  return answer.status >= 500
}

describe.each(deaths)('a writer thread that ends by %s under load', death => {
  test('stops the gateway with 1 and a sentence; what was answered is on disk, what was not is not claimed', async () => {
    serving = serveKillable(death)
    const url = (await serving.ready) ?? ''
    const answered = new Map<string, Answer | null>()
    const client = async (name: number) => {
      for (let count = 0, isCut = false; !isCut; count += 1) {
        const key = `order-${name}-${count}`
        const answer = await send(url, key)
        answered.set(key, answer)
        isCut = answer === null
      }
    }
    const clients = Promise.all(Array.from({ length: clientCount }, (_, name) => client(name)))
    await eventually(() => expect(answered.size).toBeGreaterThan(100))

    process.kill(serving.pid, 'SIGUSR2')
    const code = await serving.ended
    await clients

    expect(code).toBe(1)
    const lastLine = serving.stderr().trim().split('\n').at(-1)
    expect(lastLine).toBe('The writer thread ended: nothing can be stored any more')

    serving = serveOrdinary()
    const next = (await serving.ready) ?? ''
    const replays = new Map<string, Answer | null>()
    for (const key of answered.keys()) replays.set(key, await send(next, key))
    const findings = [...answered]
      .map(([key, answer]) => ({ key, answer, replay: replays.get(key) ?? null }))
      .filter(({ answer, replay }) => !agree(answer, replay))

    expect(findings).toEqual([])
    expect(repeated(messageIds(upstream))).toEqual([])
    expect(repeated(upstream.received.map(({ json }) => JSON.stringify(json.text)))).toEqual([])
  })
})

test('a writer thread that ends while nothing is asked of it stops the gateway all the same', async () => {
  serving = serveKillable('throw')
  await serving.ready

  process.kill(serving.pid, 'SIGUSR2')

  expect(await serving.ended).toBe(1)
  expect(serving.stderr()).toContain('The writer thread ended: nothing can be stored any more')
})

test('a message that is on disk, though its writer ended before it could say so, is not answered as not accepted', async () => {
  serving = serveKillable('silence')
  const url = (await serving.ready) ?? ''
  process.kill(serving.pid, 'SIGUSR2')
  await eventually(() => expect(serving.stderr()).toContain('poisoned'))

  const answered = await send(url, 'order-1')
  const code = await serving.ended
  serving = serveOrdinary()
  const replay = await send((await serving.ready) ?? '', 'order-1')

  expect(code).toBe(1)
  expect(replay).toMatchObject({ status: 200 })
  expect({ answered, isTrue: agree(answered, replay) }).toMatchObject({ isTrue: true })
})
