import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

/*
 * A sign-in that was ended, or a role that was lowered, while somebody else is asked on a member's behalf, changes
 * nothing more: a receiver may take 15 seconds, and the platform as long.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
let receiver: ReturnType<typeof Bun.serve>
let asked: number
let mayAnswer: Promise<void>
let letAnswer: () => void

beforeAll(() => {
  receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      asked += 1
      await mayAnswer
      return new Response(new URL(url).searchParams.get('hub.challenge'))
    },
  })
})
afterAll(() => receiver.stop(true))
beforeEach(() => {
  asked = 0
  ;({ promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>())
  gateway.upstream.answer = async ({ path }) => {
    if (path.includes('/phone_numbers')) {
      asked += 1
      await mayAnswer
    }
    return Response.json({ data: [] })
  }
})

const account = { accountId: '100009', accessToken: 'new-token', appSecret: 'new-secret', replaces: true }
/** What is asked of somebody else before it is stored. */
const changes: readonly (readonly [what: string, method: string, path: () => string, body: () => object])[] = [
  [
    'a new endpoint',
    'POST',
    () => '/webhooks',
    () => ({ url: `http://127.0.0.1:${receiver.port}/hook`, format: 'platform' }),
  ],
  ['an account', 'POST', () => '/channels', () => account],
  ['a new token', 'PATCH', () => `/channels/${gateway.channelId}`, () => ({ accessToken: 'new-token' })],
]

/** What may be changed. */
async function state() {
  const { read } = gateway.gateway.store
  return { webhooks: await read.webhooks(gateway.workspaceId), channels: await read.channels(gateway.workspaceId) }
}

describe.each(changes)('for %s somebody is asked, and meanwhile', (_, method, path, body) => {
  /** Begins the change, and lets `happen` do something before it is answered. */
  async function changed(person: Person, happen: () => Promise<unknown>): Promise<number> {
    const answer = person.call(`/api/v1/workspaces/${gateway.workspaceId}${path()}`, { method, body: body() })
    await eventually(() => expect(asked).toBe(1))
    await happen()
    letAnswer()
    return (await answer).status
  }

  test('the sign-in is ended: 401 UNAUTHORIZED', async () => {
    const person = await addPerson(gateway, 'admin')
    const { write } = gateway.gateway.store
    const before = await state()
    expect(await changed(person, () => write.endSessions({ userId: person.id, keep: null }))).toBe(401)
    expect(await state()).toEqual(before)
  })

  test('the role is lowered: 403 FORBIDDEN', async () => {
    const person = await addPerson(gateway, 'admin')
    const owner = await addPerson(gateway, 'owner')
    const { workspaceId } = gateway
    const lowered = { workspaceId, userId: person.id, role: 'viewer', byUserId: owner.id } as const
    const before = await state()
    expect(await changed(person, () => gateway.gateway.store.write.changeRole(lowered))).toBe(403)
    expect(await state()).toEqual(before)
  })

  test('nothing happens: it is changed', async () => {
    const person = await addPerson(gateway, 'admin')
    const before = await state()
    expect(await changed(person, async () => {})).toBe(200)
    expect(await state()).not.toEqual(before)
  })
})
