import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Deployment, expectRefusal, type Identified, queueMessages, seeded } from './waypost.ts'

const one = new Deployment()
const several = new Deployment()
afterAll(() => {
  one.remove()
  several.remove()
})

let first: Awaited<ReturnType<typeof seeded>>
let second: typeof first
/** Oldest first: two of the first workspace, one of the second, one of the first. */
let messages: string[]

beforeAll(async () => {
  await one.withStore(store => seeded(store))
  await several.withStore(async store => {
    first = await seeded(store)
    second = await seeded(store)
    messages = [
      ...(await queueMessages(store, first, 2)),
      ...(await queueMessages(store, second, 1)),
      ...(await queueMessages(store, first, 1)),
    ]
  })
})

const ids = (list: readonly Identified[]) => list.map(({ id }) => id)

describe('--workspace is left out', () => {
  test('what is made goes to the only workspace', async () => {
    const [{ id: workspaceId } = { id: '' }] = await one.json<Identified[]>(['workspace', 'list'])
    const [key, contact] = await Promise.all([
      one.json(['key', 'create']),
      one.json(['contact', 'add', '--phone', '+15550100200']),
    ])
    expect([key, contact]).toMatchObject([{ workspaceId }, { workspaceId }])
    const user = ['--email', 'ada@example.com']
    expect(await one.json(['user', 'create', ...user])).toMatchObject({ workspaceId })
    expectRefusal(await one.run(['user', 'add', ...user]), 1, `already a member of the workspace ${workspaceId}`)
  })

  test('of several, one has to be named; nothing is made', async () => {
    const connect = [
      'channel',
      'connect',
      '--account-id',
      '1',
      '--no-verify',
      '--access-token',
      'a',
      '--app-secret',
      'b',
    ]
    const phone = '+15550100200'
    const users = [
      ['user', 'create', '--email', 'eve@example.com'],
      ['user', 'add', '--email', 'eve@example.com'],
    ]
    for (const args of [['key', 'create'], ['contact', 'add', '--phone', phone], connect, ...users]) {
      expectRefusal(await several.run(args), 2, 'There are 2 workspaces: name one with --workspace')
    }
    // Contacts of other tests may be there.
    const phones = (await several.json<{ phone: string | null }[]>(['contact', 'list'])).map(contact => contact.phone)
    expect(phones).not.toContain(phone)
    expect(await several.json(['user', 'list'])).toEqual([])
  })

  test('a person is forgotten by number, in the one workspace that knows it', async () => {
    const phone = '+15550100277'
    const [inFirst, inSecond] = await Promise.all(
      [first, second].map(({ workspaceId }) =>
        several.json<Identified>(['contact', 'add', '--workspace', workspaceId, '--phone', phone]),
      ),
    )
    const forget = ['contact', 'forget', '--phone', '+1 (555) 010-0277']
    expectRefusal(await several.run(forget), 1, `${inSecond?.id} of ${second.workspaceId}`)
    expect(await several.json([...forget, '--workspace', first.workspaceId])).toMatchObject({ id: inFirst?.id })
    expect(await several.json(forget)).toMatchObject({ id: inSecond?.id })
    expectRefusal(await several.run(forget), 1, `No contact has the number ${phone}`)
    expectRefusal(await several.run(['contact', 'forget']), 2, 'Missing: <contact> or --phone <number>')
  })

  test('an account of another workspace is connected only when that is meant', async () => {
    const account = ['channel', 'connect', '--workspace', second.workspaceId, '--account-id', '1', '--no-verify']
    const own = [...account, '--access-token', 'a', '--app-secret', 'b']
    const other = own.map(word => (word === second.workspaceId ? first.workspaceId : word))
    const third = await several.json<Identified>(['workspace', 'create', '--name', 'Third'])
    const strange = own.map(word => (word === second.workspaceId ? third.id : word))
    expectRefusal(await several.run(strange), 1, '--also-here')
    expectRefusal(await several.run(other), 1, '--also-here')
    expect(await several.json([...strange, '--also-here'])).toMatchObject({ workspaceId: third.id })
    await several.json(['workspace', 'remove', third.id, '--confirm', 'Third'])
  })

  test('without any, the first is to be created', async () => {
    const none = new Deployment()
    await none.withStore(async () => {})
    expectRefusal(await none.run(['key', 'create']), 1, 'waypost workspace create')
    none.remove()
  })

  test('lists are of all workspaces, and each row says of which', async () => {
    const lines = await several.json<Identified[]>(['line', 'list'])
    expect(ids(lines).sort()).toEqual([first.lineId, second.lineId].sort())
    const { stdout } = await several.run(['line', 'list'])
    for (const { workspaceId } of [first, second]) expect(stdout).toContain(workspaceId)
  })

  test('messages of all workspaces come newest first, as many as asked for', async () => {
    const newestFirst = messages.toReversed()
    const listed = await several.json<(Identified & { createdAt: string })[]>(['message', 'list', '--status', 'QUEUED'])
    expect(ids(listed).sort()).toEqual(messages.toSorted())
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(
      listed
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    )
    const two = await several.json<Identified[]>(['message', 'list', '--limit', '2'])
    expect(two).toHaveLength(2)
    expect(newestFirst).toContain(two[0]?.id ?? '')
    expectRefusal(await several.run(['message', 'list', '--after', messages[0] ?? '']), 2, 'name it with --workspace')
  })
})
