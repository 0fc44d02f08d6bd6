import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { messagesCallback, postCallback } from '../upstream.ts'

const main = resolve(import.meta.dir, '../../src/main.ts')

let gateway: TestGateway
afterEach(() => gateway.stop())

/** What a command prints beside the running gateway. */
async function waypost(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: { DATA_DIR: gateway.dataDir, NO_COLOR: '1' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const [printed, code] = await Promise.all([child.stdout.text(), child.exited])
  expect(code).toBe(0)
  return printed
}

const inbound = messagesCallback({
  contacts: [{ profile: { name: 'Ada' }, wa_id: '15550100200' }],
  messages: [
    { from: '15550100200', id: 'wamid.in1', timestamp: '1749416383', type: 'text', text: { body: 'Thanks!' } },
  ],
})

/** One message in each direction. @returns what the operator sees of both afterwards */
async function exchange(env: Record<string, string>) {
  gateway = await startTestGateway({ env })
  const sent = await gateway.send({ type: 'text', phone: '+15550100200', content: 'Your parcel is here.' })
  expect(sent.json.data.status).toBe('SENT')
  const url = `${gateway.url}/callbacks/channel/${gateway.channelId}`
  expect((await postCallback(url, inbound, gateway.appSecret)).status).toBe(200)
  const { workspaceId, store } = { ...gateway, ...gateway.gateway }
  const [contact] = await store.read.contacts({ workspaceId, limit: 1 })
  return {
    message: JSON.parse(await waypost('message', 'show', sent.json.data.id, '--json')),
    messageText: await waypost('message', 'show', sent.json.data.id),
    contactText: await waypost('contact', 'show', contact?.id ?? ''),
  }
}

test('contents are kept after the end: the operator reads what was sent and what came', async () => {
  const shown = await exchange({})
  expect(shown.message).toMatchObject({ status: 'SENT', content: { text: { body: 'Your parcel is here.' } } })
  expect(shown.messageText).toContain('Your parcel is here.')
  expect(shown.contactText).toContain('Thanks!')
})

test('CONTENT_RETENTION_DAYS=0: contents are gone once a message is settled, and the rest is there', async () => {
  const shown = await exchange({ CONTENT_RETENTION_DAYS: '0' })
  expect(shown.message).toMatchObject({ status: 'SENT', recipient: '+15550100200', content: null })
  expect(shown.message.timeline.map(({ event }: { event: string }) => event)).toContain('accepted')
  expect(shown.messageText).toContain('Its content is no longer stored.')
  expect(shown.contactText).toContain('not kept any more')
  expect(shown.contactText).not.toContain('Thanks!')
})
