import { expect, test } from 'bun:test'
import { answerText } from '../../src/base/answerText.ts'
import { eventually } from '../eventually.ts'

/** A server whose answer has no end. @param pieces how many of 64 KB come before it is silent */
function endless(pieces = Number.POSITIVE_INFINITY) {
  const state = { sent: 0, isLeft: false }
  const body = () =>
    new ReadableStream({
      async pull(controller) {
        if (state.sent === pieces) await new Promise(() => {})
        state.sent += 1
        controller.enqueue(new Uint8Array(65_536))
      },
      cancel() {
        state.isLeft = true
      },
    })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(body()) })
  return { url: server.url, state, [Symbol.asyncDispose]: () => server.stop(true) }
}

test('an answer is read up to its limit', async () => {
  expect(await answerText(new Response('é'.repeat(10)), 20)).toBe('é'.repeat(10))
  expect(await answerText(new Response('é'.repeat(10)), 19)).toBeNull()
  expect(await answerText(new Response(null), 0)).toBe('')
})

test('one without an end is left at the limit', async () => {
  await using server = endless()
  expect(await answerText(await fetch(server.url), 1_000_000)).toBeNull()
  await eventually(() => expect(server.state.isLeft).toBe(true))
})

test('one that comes no further is left when its request ends', async () => {
  await using server = endless(1)
  const request = new AbortController()
  const reading = answerText(await fetch(server.url, request), 1_000_000)
  request.abort(new Error('it took too long'))
  await expect(reading).rejects.toThrow('it took too long')
  await eventually(() => expect(server.state.isLeft).toBe(true))
})
