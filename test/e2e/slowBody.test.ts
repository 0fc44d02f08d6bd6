import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, startPostgres } from '../postgres.ts'

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

// PostgreSQL reads what decides on a send with its key. On a file it is read after the body anyway.
describe.skipIf(!hasPostgres)('what changes while the body of a send is on its way decides on it', () => {
  let clock: ManualClock
  let gateway: TestGateway
  const server = sharedFixture(() => startPostgres({ fsync: 'off' }))
  beforeEach(async () => {
    clock = new ManualClock(Date.UTC(2026, 0, 31, 23, 59, 58))
    const env = { DATABASE_URL: await server.createDatabase(), SECRET_KEY: 'a-key-that-is-long-enough-for-this' }
    gateway = await startTestGateway({ clock, env })
  })
  afterEach(() => gateway.stop())

  /** A send whose body comes after a change, a second after its key was read. */
  async function sendAround(change: () => Promise<unknown>): Promise<Response> {
    const { read } = gateway.gateway.store
    const { sendingKey } = read
    const keyIsRead = Promise.withResolvers<void>()
    const noted: typeof sendingKey = async asked => {
      const key = await sendingKey(asked)
      keyIsRead.resolve()
      return key
    }
    Object.assign(read, { sendingKey: noted })
    const body = new ReadableStream({
      async pull(controller) {
        await keyIsRead.promise
        await change()
        clock.advance(1_000)
        controller.enqueue(new TextEncoder().encode(JSON.stringify(text)))
        controller.close()
      },
    })
    const headers = { ...gateway.key, 'content-type': 'application/json' }
    const answer = await fetch(`${gateway.url}/api/v1/public/messages/send`, { method: 'POST', headers, body })
    Object.assign(read, { sendingKey })
    return answer
  }
  const limit = (monthly: number) =>
    gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: monthly })

  test('a limit that is raised, and a month that begins, make room', async () => {
    await limit(1)
    expect((await gateway.send(text)).status).toBe(201)
    expect((await sendAround(() => limit(2))).status).toBe(201)
    expect((await gateway.send(text)).status).toBe(402)
    expect((await sendAround(async () => {})).status).toBe(201)
  })

  test('a line that is deactivated sends nothing', async () => {
    const deactivate = () => gateway.gateway.store.write.changeLine({ lineId: gateway.line.id, active: false })
    const answer = await sendAround(deactivate)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'NO_PHONE_NUMBER' }])
    expect(gateway.upstream.received).toEqual([])
  })
})
