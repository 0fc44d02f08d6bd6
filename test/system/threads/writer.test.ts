import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { eventually } from '../../eventually.ts'
import { freshFixture } from '../../fixture.ts'
import { type Answer, Installation } from '../disk/installation.ts'
import { messageIds, repeated } from './heldUpstream.ts'
import type { Death } from './killable.ts'

/** `silence` is the worst of them: the send is on disk, and nobody got an answer. */
const deaths: readonly Death[] = ['throw', 'reject', 'exit', 'silence']
const clientCount = 16

const installation = freshFixture(() => Installation.make())
const killable = resolve(import.meta.dir, 'serveKillable.ts')
const serveKillable = (death: Death) => installation.start({ program: [process.execPath, killable, death] })

/** @returns what the gateway answered; null when it cut the connection. */
const send = (url: string, idempotencyKey: string) => installation.send(url, idempotencyKey).catch(() => null)

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
    const serving = serveKillable(death)
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

    const { url: next } = await installation.run()
    const replays = new Map<string, Answer | null>()
    for (const key of answered.keys()) replays.set(key, await send(next, key))
    const findings = [...answered]
      .map(([key, answer]) => ({ key, answer, replay: replays.get(key) ?? null }))
      .filter(({ answer, replay }) => !agree(answer, replay))

    expect(findings).toEqual([])
    expect(repeated(messageIds(installation.upstream))).toEqual([])
    expect(repeated(installation.sent)).toEqual([])
  })
})

test('a writer thread that ends while nothing is asked of it stops the gateway all the same', async () => {
  const serving = serveKillable('throw')
  await serving.ready

  process.kill(serving.pid, 'SIGUSR2')

  expect(await serving.ended).toBe(1)
  expect(serving.stderr()).toContain('The writer thread ended: nothing can be stored any more')
})

test('a message that is on disk, though its writer ended before it could say so, is not answered as not accepted', async () => {
  const serving = serveKillable('silence')
  const url = (await serving.ready) ?? ''
  process.kill(serving.pid, 'SIGUSR2')
  await eventually(() => expect(serving.stderr()).toContain('poisoned'))

  const answered = await send(url, 'order-1')
  const code = await serving.ended
  const replay = await send((await installation.run()).url, 'order-1')

  expect(code).toBe(1)
  expect(replay).toMatchObject({ status: 200 })
  expect({ answered, isTrue: agree(answered, replay) }).toMatchObject({ isTrue: true })
})
