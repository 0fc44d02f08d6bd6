import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

/*
 * A sign-in that was ended, or a role that was lowered, while somebody else is asked on a member's behalf, changes
 * nothing more: a receiver may take 15 seconds.
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
})

const url = () => `http://127.0.0.1:${receiver.port}/hook`
const webhooks = () => gateway.gateway.store.read.webhooks(gateway.workspaceId)

/** Asks for a new endpoint whose receiver is asked first, and lets `change` happen meanwhile. */
async function added(person: Person, change: () => Promise<unknown>): Promise<number> {
  const path = `/api/v1/workspaces/${gateway.workspaceId}/webhooks`
  const answer = person.call(path, { body: { url: url(), format: 'platform' } })
  await eventually(() => expect(asked).toBe(1))
  await change()
  letAnswer()
  return (await answer).status
}

describe('a receiver is asked, and meanwhile', () => {
  test('the sign-in is ended: 401 UNAUTHORIZED', async () => {
    const person = await addPerson(gateway, 'admin')
    const { write } = gateway.gateway.store
    const before = await webhooks()
    expect(await added(person, () => write.endSessions({ userId: person.id, keep: null }))).toBe(401)
    expect(await webhooks()).toEqual(before)
  })

  test('the role is lowered: 403 FORBIDDEN', async () => {
    const person = await addPerson(gateway, 'admin')
    const owner = await addPerson(gateway, 'owner')
    const { workspaceId } = gateway
    const lowered = { workspaceId, userId: person.id, role: 'viewer', byUserId: owner.id } as const
    const before = await webhooks()
    expect(await added(person, () => gateway.gateway.store.write.changeRole(lowered))).toBe(403)
    expect(await webhooks()).toEqual(before)
  })

  test('nothing happens: the endpoint is added', async () => {
    const person = await addPerson(gateway, 'admin')
    expect(await added(person, async () => {})).toBe(200)
    expect(await webhooks()).toHaveLength(1)
  })
})
