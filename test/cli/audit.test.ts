import { afterAll, describe, expect, test } from 'bun:test'
import { SANDBOX } from '../../src/sandbox/server.ts'
import { timestamp } from '../timestamp.ts'
import { connected, Deployment, expectRefusal, type Identified, queueMessages } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

interface Entry {
  readonly id: number
  readonly by: string
  readonly action: string
  readonly subject: string
  readonly changes: readonly unknown[]
}

const list = (...options: string[]) => deployment.json<Entry[]>(['audit', 'list', ...options])

/** As the machine itself names who runs this. */
const machineUser = Bun.spawnSync(['id', '-un']).stdout.toString().trim()

test('a caller by sudo stands behind the user who surely ran it; a name that is none is left out', async () => {
  const own = new Deployment()
  const create = (SUDO_USER: string) => own.json(['workspace', 'create', '--name', 'Acme'], { env: { SUDO_USER } })
  for (const name of ['ada', machineUser, 'ada\u001b[2J']) await create(name)
  const entries = await own.json<Entry[]>(['audit', 'list'])
  expect(entries.map(({ by }) => by).reverse()).toEqual([
    `cli:${machineUser} (sudo: ada)`,
    `cli:${machineUser}`,
    `cli:${machineUser}`,
  ])
  own.remove()
})

describe('every change by a command is kept, with who made it', () => {
  test('of workspaces, channels, lines, keys, contacts and messages; what only reads or fails leaves nothing, and each is found', async () => {
    const { workspaceId, channelId, lineId } = await connected(deployment)
    const key = await deployment.json<{ apiKey: string; apiSecret: string }>([
      'key',
      'create',
      '--workspace',
      workspaceId,
    ])
    await deployment.json(['key', 'revoke', key.apiKey])
    await deployment.json(['line', 'set-rate', lineId, '--per-second', '5'])
    await deployment.json(['line', 'deactivate', lineId])
    const add = ['contact', 'add', '--workspace', workspaceId, '--phone', '+15550100200']
    const contact = await deployment.json<Identified>(add)
    // The gateway's own work is nobody's.
    const [messageId = ''] = await deployment.withStore(async store => {
      const ids = await queueMessages(store, { workspaceId, channelId, lineId }, 1)
      await store.write.recordEvent({
        messageId: ids[0] ?? '',
        event: { kind: 'lost', at: Date.now() },
        detail: null,
        recordedAt: Date.now(),
      })
      return ids
    })
    await deployment.json(['message', 'resolve', messageId, '--as', 'failed'])
    await deployment.json(['workspace', 'list'])
    expectRefusal(await deployment.run(['key', 'revoke', 'pk_none']), 1, 'No API key')

    const entries = await list()
    expect(entries.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `message.resolve ${messageId}`,
      `contact.add ${contact.id}`,
      `line.deactivate ${lineId}`,
      `line.set-rate ${lineId}`,
      `key.revoke ${key.apiKey}`,
      `key.create ${key.apiKey}`,
      `line.add ${lineId}`,
      `channel.connect ${channelId}`,
      `workspace.create ${workspaceId}`,
    ])
    expect(new Set(entries.map(({ by }) => by))).toEqual(new Set([`cli:${machineUser}`]))
    expect(entries[0]).toHaveProperty('at', timestamp)
    const [rate] = await list('--action', 'line.set-rate')
    expect(rate?.changes).toEqual([{ field: 'perSecond', from: 80, to: 5 }])
    const text = JSON.stringify(entries)
    for (const secret of [key.apiSecret, SANDBOX.accessToken, SANDBOX.appSecret]) expect(text).not.toContain(secret)

    // It is found by noun, action, subject, name and date, page by page.
    const all = entries
    const [newest, second, third] = all
    expect((await list('--action', 'key')).map(({ action }) => action)).toEqual(['key.revoke', 'key.create'])
    expect(await list('--action', 'key.revoke')).toHaveLength(1)
    expect(await list('--action', 'ke')).toEqual([])
    expect(await list('--subject', newest?.subject ?? '')).toEqual(newest ? [newest] : [])
    expect(await list('--by', 'cli:nobody-here')).toEqual([])
    expect(await list('--since', '1h')).toEqual(all)
    expect(await list('--until', '2020-01-01')).toEqual([])
    expect(await list('--limit', '2', '--after', String(newest?.id))).toEqual([second, third].filter(entry => !!entry))
    const { stdout } = await deployment.run(['audit', 'list', '--limit', '1'])
    expect(stdout).toContain('message.resolve')
  })

  test('by the name that the machine gives, whatever the environment says', async () => {
    const deployment = new Deployment()
    for (const env of [{}, { USER: 'mallory', LOGNAME: 'mallory' }]) {
      const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Named'], { env })
      const found = await deployment.json(['audit', 'list', '--subject', id])
      expect(found).toMatchObject([{ action: 'workspace.create', by: `cli:${machineUser}` }])
    }
    deployment.remove()
  })
})
