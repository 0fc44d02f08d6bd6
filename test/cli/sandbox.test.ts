import { afterAll, expect, test } from 'bun:test'
import { Deployment, expectRefusal, firstLine } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the sandbox says how to use it, serves, and ends with 0 on %s',
  async signal => {
    const child = deployment.spawn(['sandbox', '--port', '0', '--access-token', 'my-token', '--json'])
    const told = JSON.parse(await firstLine(child.stdout)) as {
      url: string
      lines: object[]
      magicRecipients: object[]
    }
    expect(told).toMatchObject({
      accountId: '102290129340398',
      accessToken: 'my-token',
      appSecret: 'sandbox-app-secret',
    })
    expect(told.lines).toContainEqual({ upstreamPhoneId: '106540352242922', number: '+15550783881' })
    expect(told.magicRecipients.length).toBeGreaterThan(10)

    const headers = { authorization: 'Bearer my-token' }
    const templates = await fetch(`${told.url}/v25.0/102290129340398/message_templates`, { headers })
    expect(templates.status).toBe(200)
    await templates.body?.cancel()

    const taken = await deployment.run(['sandbox', '--port', new URL(told.url).port, '--json'])
    expectRefusal(taken, 1, 'cannot start')
    child.kill(signal)
    expect(await child.exited).toBe(0)
  },
)
