import { afterAll, expect, test } from 'bun:test'
import { DELAYS } from '../../src/sandbox/state/defaults.ts'
import { Deployment, expectRefusal, firstLine } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the sandbox says how to use it, serves, and ends with 0 on %s',
  async signal => {
    const child = deployment.spawn(['sandbox', '--port', '0', '--access-token', 'my-token', '--json'])
    const printed = JSON.parse(await firstLine(child.stdout)) as {
      url: string
      lines: object[]
      magicRecipients: object[]
    }
    expect(printed).toMatchObject({
      accountId: '102290129340398',
      accessToken: 'my-token',
      appSecret: 'sandbox-app-secret',
    })
    expect(printed.lines).toContainEqual({ upstreamPhoneId: '106540352242922', number: '+15550783881' })
    expect(printed.magicRecipients.length).toBeGreaterThan(10)

    const headers = { authorization: 'Bearer my-token' }
    const templates = await fetch(`${printed.url}/v25.0/102290129340398/message_templates`, { headers })
    expect(templates.status).toBe(200)
    await templates.body?.cancel()

    const taken = await deployment.run(['sandbox', '--port', new URL(printed.url).port, '--json'])
    expectRefusal(taken, 1, 'cannot start')
    child.kill(signal)
    expect(await child.exited).toBe(0)
  },
)

test('the help shows how long delivering and reading take; the wrong way round they are a usage error', async () => {
  const help = await deployment.run(['sandbox', '--help'])
  expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain(`delivered (default: ${DELAYS.deliveredAfterMs},`)
  expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain(`read (default: ${DELAYS.readAfterMs},`)
  const wrong = await deployment.run(['sandbox', '--delivered-after-ms', '200', '--read-after-ms', '100', '--json'])
  expectRefusal(wrong, 2, '--read-after-ms must not be shorter')
})

test('given one delay alone, a message is still read after it is delivered', async () => {
  const child = deployment.spawn(['sandbox', '--port', '0', '--delivered-after-ms', '1500', '--json'])
  const { url } = JSON.parse(await firstLine(child.stdout)) as { url: string }
  const settings = (await (await fetch(`${url}/sandbox/settings`)).json()) as { callbacks: object }
  expect(settings.callbacks).toMatchObject({ deliveredAfterMs: 1_500, readAfterMs: 2_000 })
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
