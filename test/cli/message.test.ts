import { afterAll, expect, test } from 'bun:test'
import { messageFieldNames } from '../../db/messageFields.ts'
import { newId } from '../../src/base/ids.ts'
import { draft, report, template } from '../db/fixtures.ts'
import { messageAnswer } from '../partner/messageAnswer.ts'
import { timestamp } from '../timestamp.ts'
import { Deployment, expectRefusal, type Identified, queueMessages, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

/** A message of each kind, in a workspace of its own. */
const seedMessages = () =>
  deployment.withStore(async store => {
    const owner = await seeded(store)
    const [queued = ''] = await queueMessages(store, owner, 1)
    const [lost = '', sent = ''] = await queueMessages(store, owner, 2, true)
    const at = Date.now()
    const record = { detail: null, recordedAt: at }
    await store.write.recordEvent({ ...record, messageId: lost, event: { kind: 'lost', at } })
    const accepted = { kind: 'accepted', at, channelMessageId: 'wamid.1', waId: '15550100200' } as const
    await store.write.recordEvent({ ...record, messageId: sent, event: accepted })
    return { owner, queued, lost, sent }
  })

test('messages are listed newest first, by status and up to a limit', async () => {
  const { owner, queued, lost, sent } = await seedMessages()
  const list = ['message', 'list', '--workspace', owner.workspaceId]
  const [all, unknown, newest, text] = await Promise.all([
    deployment.json<Identified[]>(list),
    deployment.json<Identified[]>([...list, '--status', 'unknown']),
    deployment.json<Identified[]>([...list, '--limit', '1']),
    deployment.run(list),
  ])
  expect(all.map(({ id }) => id)).toEqual([sent, lost, queued])
  expect(unknown.map(({ id }) => id)).toEqual([lost])
  expect(newest.map(({ id }) => id)).toEqual([sent])
  expect(text.stdout).toContain('UNKNOWN')
})

test('show gives the message as the partner API has it, and its timeline from the very beginning', async () => {
  const { owner, lost, sent } = await seedMessages()
  const shown = await deployment.json(['message', 'show', sent])
  const { idempotentReplay: _, to: _to, error: _error, ...asAnswered } = messageAnswer({ id: sent })
  expect(shown).toEqual({
    ...Object.fromEntries(messageFieldNames.map(name => [name, null])),
    ...asAnswered,
    type: 'text',
    recipient: '+15550100200',
    ...owner,
    keyId: null,
    content: { to: '+15550100200' },
    timeline: [
      { event: 'queued', at: timestamp, recordedAt: timestamp, detail: null },
      { event: 'accepted', at: timestamp, recordedAt: timestamp, detail: null },
    ],
  })
  const text = await deployment.run(['message', 'show', lost])
  expect(text.stdout).toContain(`waypost message resolve ${lost}`)
})

test('show says what did not fit into a template, where a callback told of the refusal', async () => {
  const id = await deployment.withStore(async store => {
    const owner = await seeded(store)
    const { channelId } = owner
    const at = Date.now()
    const components = JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}' }])
    const templates = [template({ id: newId('tpl'), channelId, components })]
    await store.write.replaceTemplates({ channelId, templates, at, recordedAt: at })
    const { name, language: code } = template()
    const payload = JSON.stringify({ type: 'template', template: { name, language: { code }, components: [] } })
    const offered = draft({ ...owner, id: newId('msg'), type: 'template', templateName: name, payload, createdAt: at })
    await store.write.acceptMessage(offered)
    const reports = [report('failed', { messageId: offered.id, channelMessageId: 'wamid.2', at, code: 132000 })]
    await store.write.applyReports({ channelId, reports, recordedAt: at })
    return offered.id
  })
  const { timeline } = await deployment.json<{ timeline: object[] }>(['message', 'show', id])
  const issues = [{ path: '/templateComponents', message: expect.stringContaining('body component') }]
  expect(timeline.at(-1)).toMatchObject({ event: 'failed', detail: { errors: [{ code: 132000 }], issues } })
})

test('many messages of unknown outcome are resolved by a filter, once it is said how many', async () => {
  const { owner, queued, lost, sent } = await seedMessages()
  const resolve = ['message', 'resolve', '--as', 'failed', '--workspace', owner.workspaceId]
  const unconfirmed = await deployment.run([...resolve, '--since', '1h', '--json'])
  expectRefusal(unconfirmed, 1, '--force settles 1 UNKNOWN messages as FAILED')
  expect(JSON.parse(unconfirmed.stdout)).toMatchObject({ error: 'NOT_CONFIRMED' })
  const status = async (id: string) => (await deployment.json<{ status: string }>(['message', 'show', id])).status
  expect(await status(lost)).toBe('UNKNOWN')
  for (const others of [
    ['--until', '1h'],
    ['--line', 'line_0000000000000000000000'],
  ])
    expect(await deployment.json([...resolve, ...others, '--force'])).toEqual({ settled: 0, left: 0 })
  expect(await deployment.json([...resolve, '--line', owner.lineId, '--force'])).toEqual({ settled: 1, left: 0 })
  expect(await Promise.all([queued, lost, sent].map(status))).toEqual(['QUEUED', 'FAILED', 'SENT'])
  expectRefusal(await deployment.run(['message', 'resolve', lost, ...resolve.slice(2)]), 2, 'name one message, or say')
  expectRefusal(await deployment.run(['message', 'resolve', '--as', 'sent']), 2, 'Missing: <message> or --workspace')
})

test('only a message whose outcome is unknown can be resolved, and only once', async () => {
  const { queued, lost } = await seedMessages()
  const early = await deployment.run(['message', 'resolve', queued, '--as', 'sent', '--json'])
  expectRefusal(early, 1, 'this one is QUEUED')
  const resolved = await deployment.json(['message', 'resolve', lost, '--as', 'failed'])
  expect(resolved).toMatchObject({ id: lost, status: 'FAILED', failureReason: expect.stringContaining('operator') })
  const again = await deployment.run(['message', 'resolve', lost, '--as', 'sent', '--json'])
  expectRefusal(again, 1, 'this one is FAILED')
  const { timeline } = await deployment.json<{ timeline: object[] }>(['message', 'show', lost])
  expect(timeline.map(entry => ('event' in entry ? entry.event : null))).toEqual(['queued', 'lost', 'resolved'])
})
