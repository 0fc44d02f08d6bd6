import { expect } from 'bun:test'
import { eventually } from '../../eventually.ts'
import type { OutageGateway } from './outageGateway.ts'

/** Backends that send at the same time. */
const callers = 8
/** After a refusal, instead of the seconds of `Retry-After`. */
const retryMs = 50

export interface Load {
  /** How many sends were answered with each status, `201` or `503 SERVICE_UNAVAILABLE`. */
  readonly answers: Readonly<Record<string, number>>
  /** Lets each caller finish its last message. @returns all idempotency keys that they have used */
  finish(): Promise<readonly string[]>
}

/** Callers that send one message after the other, and repeat each with its key until it is accepted, as they should. */
export function startLoad(gateway: OutageGateway): Load {
  const answers: Record<string, number> = {}
  const keys: string[] = []
  let isOver = false

  async function call(name: string) {
    for (let count = 0; !isOver; count += 1) {
      const key = `${name}-${count}`
      keys.push(key)
      for (;;) {
        const { status, json, headers } = await gateway.sendAs(key)
        const answer = status < 300 ? String(status) : `${status} ${json.error}`
        answers[answer] = (answers[answer] ?? 0) + 1
        if (status < 300) break
        if (status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
        await Bun.sleep(retryMs)
      }
    }
  }

  const calls = Array.from({ length: callers }, (_, at) => call(`caller-${at}`))
  return {
    answers,
    async finish() {
      isOver = true
      await Promise.all(calls)
      return keys
    },
  }
}

/** Each message is stored once and went to the upstream once. */
export async function expectOnce(gateway: OutageGateway, keys: readonly string[]): Promise<void> {
  const sorted = [...keys].sort()
  await eventually(async () => {
    const stored = await gateway.messages()
    expect(stored.map(({ idempotencyKey, status }) => `${idempotencyKey} ${status}`).sort()).toEqual(
      sorted.map(key => `${key} SENT`),
    )
  })
  const sent = gateway.upstream.received.map(({ json }) => (json.text as { body: string }).body)
  expect(sent.sort()).toEqual(sorted)
}

/** Sends and reads are refused, with a hint when to try again. */
export async function expectRefused(gateway: OutageGateway, messageId: string): Promise<void> {
  const answers = await Promise.all([
    gateway.sendAs('during-the-outage'),
    gateway.get(`/api/v1/public/messages/${messageId}`),
  ])
  for (const { status, json, headers } of answers) {
    expect({ status, error: json.error }).toEqual({ status: 503, error: 'SERVICE_UNAVAILABLE' })
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
}
