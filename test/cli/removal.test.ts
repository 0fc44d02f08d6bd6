import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Deployment, expectRefusal, type Identified, queueMessages, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

let owner: Awaited<ReturnType<typeof seeded>>
beforeEach(async () => {
  owner = await deployment.withStore(seeded)
})

const list = (noun: string) => deployment.json<Identified[]>([noun, 'list', '--workspace', owner.workspaceId])
const queue = (count: number) => deployment.withStore(store => queueMessages(store, owner, count))

/** Gives a waiting message its end. */
const settle = (messageId: string) =>
  deployment.withStore(async store => {
    const at = Date.now()
    const event = { kind: 'dispatched', at } as const
    await store.write.recordEvent({ messageId, event, detail: null, recordedAt: at })
    await store.write.recordEvent({ messageId, event: { kind: 'lost', at }, detail: null, recordedAt: at })
  })

test('a line on which messages wait is not removed, and the number of them is named', async () => {
  const [first = '', second = ''] = await queue(2)
  const remove = ['line', 'remove', owner.lineId]
  expectRefusal(await deployment.run(remove), 1, `Nothing was removed: 2 messages wait to be sent from the line`)
  const disconnect = ['channel', 'disconnect', owner.channelId]
  expectRefusal(await deployment.run(disconnect), 1, `Nothing was removed: 2 messages wait to be sent from the channel`)
  await settle(first)
  expectRefusal(await deployment.run(remove), 1, '1 message waits')
  expect(await list('line')).toMatchObject([{ id: owner.lineId, active: true }])
  expect(await list('channel')).toHaveLength(1)

  await settle(second)
  expect(await deployment.json(remove)).toMatchObject({ id: owner.lineId, active: false, unnamedLineId: null })
  expect(await list('line')).toEqual([])
  expectRefusal(await deployment.run(remove), 1, `No line has this id: ${owner.lineId}`)
  expectRefusal(await deployment.run(['line', 'activate', owner.lineId]), 1, 'No line has this id')
  expectRefusal(await deployment.run(['line', 'default', owner.lineId]), 1, 'No line has this id')
  expect(await deployment.json(['message', 'show', first])).toMatchObject({ id: first })
  expect(await list('message')).toHaveLength(2)
})

test('the number of a removed line can be added again, as another line', async () => {
  await deployment.json(['line', 'remove', owner.lineId])
  const add = ['line', 'add', '--channel', owner.channelId, '--upstream-phone-id', '7', '--number', '+15550783881']
  const added = await deployment.json<Identified>(add)
  expect(added.id).not.toBe(owner.lineId)
  expect(await list('line')).toMatchObject([{ id: added.id }])
})

test('a disconnected channel is gone with its lines, templates and secrets; connected again it is another', async () => {
  const connect = ['channel', 'connect', '--workspace', owner.workspaceId, '--account-id', '55', '--no-verify']
  const credentials = ['--access-token', 'token', '--app-secret', 'secret']
  const { id } = await deployment.json<Identified>([...connect, ...credentials])
  const add = ['line', 'add', '--channel', id, '--upstream-phone-id', '9', '--number', '+15550783882']
  await deployment.json<Identified>(add)
  const sealed = await deployment.withStore(async store => (await store.read.channel(id))?.sealedAccessToken ?? '')

  expect(await deployment.json(['channel', 'disconnect', id])).toMatchObject({ id, accountId: '55' })
  expect(await list('channel')).toMatchObject([{ id: owner.channelId }])
  expect(await list('line')).toMatchObject([{ id: owner.lineId }])
  expectRefusal(await deployment.run(['channel', 'disconnect', id]), 1, `No channel has this id: ${id}`)
  expectRefusal(await deployment.run(['channel', 'subscribe', id]), 1, `No channel has this id: ${id}`)
  expectRefusal(await deployment.run(add), 1, `No channel has this id: ${id}`)
  const setSecret = ['channel', 'set-app-secret', id, '--app-secret-file', '-']
  expectRefusal(await deployment.run(setSecret, { stdin: 's' }), 1, `No channel has this id: ${id}`)
  // The secrets are not in the table any more.
  expect(sealed).toStartWith('v1.')
  const database = new Database(deployment.databasePath, { readonly: true })
  expect(database.query('SELECT sealed_access_token FROM channels WHERE id = ?').values(id)).toEqual([['']])
  database.close()

  const again = await deployment.json<Identified>([...connect, ...credentials])
  expect(again.id).not.toBe(id)
})
