import { beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { template as templateFixture } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { catalog } from './catalog.ts'

const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  const german = { name: 'order', language: 'de', components: '[{"type":"BODY","text":"Hallo {{1}}"}]' }
  const hidden = ['PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'DELETED', 'ARCHIVED'].map(status => ({
    name: `hidden_${status.toLowerCase()}`,
    status,
  }))
  await gateway.addTemplates(...catalog, german, { ...german, language: 'fr', status: 'PENDING' }, ...hidden)
})

const templateOf = (fields: Partial<ReturnType<typeof templateFixture>>) =>
  templateFixture({ id: newId('tpl'), updatedAt: 1_000, ...fields })
const list = (query = '') => gateway.get(`/api/v1/public/templates${query}`)
type Listed = {
  name: string
  language: string
  sharedVariables: { variable: string; places: string[] }[]
  status: string
}
const listed = async (query = ''): Promise<Listed[]> => (await list(query)).json.data.templates
const named = async (query = '') => (await listed(query)).map(({ name, language }) => `${name} ${language}`)

describe('200: the approved templates', () => {
  test('one record per name and language, in a steady order, and nothing that cannot be sent', async () => {
    const names = await named()
    expect(names).toEqual([...catalog.map(({ name }) => `${name} en_US`), 'order de'].sort())
    expect((await listed()).every(({ status }) => status === 'APPROVED')).toBe(true)
  })

  test('exactly these fields, with the structure of the upstream', async () => {
    const { status, json } = await list('?name=order&language=en_US')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['success', 'data'])
    expect(Object.keys(json.data)).toEqual(['templates'])
    const [record, ...more] = json.data.templates
    expect(more).toEqual([])
    const { id, updatedAt } = record
    expect(id).toMatch(/^tpl_[0-9a-z]{26}$/)
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt)
    expect(record).toEqual({
      id,
      name: 'order',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} is confirmed.' }],
      variables: ['1', '2'],
      sharedVariables: [],
      sendableWith: 'templateVariables',
      needsComponents: [],
      exampleValues: { templateVariables: { '1': 'example', '2': 'example' } },
      phoneNumberIds: [gateway.line.id],
      updatedAt,
    })
  })

  // Which keys a template has: test/templates/variables.test.ts.
  test('where one key fills several places, the record says which ones', async () => {
    const [sale] = await listed('?name=sale')
    expect(sale?.sharedVariables).toEqual([{ variable: '1', places: ['header', 'body', 'URL button 1'] }])
  })

  test('a workspace without templates has an empty list; one of another workspace never shows', async () => {
    const other = await gateway.addWorkspace()
    const { json } = await gateway.get('/api/v1/public/templates', other.key)
    expect(json).toEqual({ success: true, data: { templates: [] } })
  })
})

describe('a name and language that two channels of a workspace have', () => {
  test('each record names the active lines that send it', async () => {
    const { workspaceId, channelId, line, key } = await gateway.addWorkspace()
    const { store, credentials } = gateway.gateway
    const now = Date.now()
    const second = newId('chan')
    await store.write.connectChannel({
      id: second,
      workspaceId,
      accountId: '100003',
      ...credentials.seal(second, { accessToken: 'token', appSecret: 'secret', verifyToken: 'verify' }),
      createdAt: now,
      updatedAt: now,
    })
    const there = await gateway.addLine({ workspaceId, channelId: second })
    await gateway.addLine({ workspaceId, channelId: second, active: false })
    const bodies = [
      [channelId, 'Hi {{1}}'],
      [second, 'Hello {{1}}, {{2}}'],
    ] as const
    for (const [channel, body] of bodies) {
      const template = {
        id: newId('tpl'),
        channelId: channel,
        upstreamId: '1',
        name: 'hello',
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        parameterFormat: 'POSITIONAL',
        components: JSON.stringify([{ type: 'BODY', text: body }]),
        updatedAt: now,
        lastUpdateAt: null,
      }
      await store.write.replaceTemplates({ channelId: channel, at: now, templates: [template], recordedAt: now })
    }
    const { json } = await gateway.get('/api/v1/public/templates', key)
    expect(json.data.templates).toMatchObject([
      { name: 'hello', variables: ['1'], phoneNumberIds: [line.id] },
      { name: 'hello', variables: ['1', '2'], phoneNumberIds: [there.id] },
    ])
  })
})

describe('a list that the caller has', () => {
  const ask = async (key: { readonly apiKey: string; readonly apiSecret: string }, query = '', known?: string) => {
    const headers = { ...key, ...(known !== undefined && { 'if-none-match': known }) }
    const answer = await fetch(`${gateway.url}/api/v1/public/templates${query}`, { headers })
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text() }
  }

  test('304 with its ETag, until a template or a line changes; then all of the new one', async () => {
    const { workspaceId, channelId, line, key } = await gateway.addWorkspace()
    const { write } = gateway.gateway.store
    const components = '[{"type":"BODY","text":"Hallo {{1}}"}]'
    const listing = (names: readonly string[], at: number) =>
      write.replaceTemplates({
        ...{ channelId, at, recordedAt: at },
        templates: names.map(name => templateOf({ channelId, name, components, updatedAt: at })),
      })
    await listing(['b', 'a'], 1_000)
    const first = await ask(key)
    expect([first.status, /^"[0-9a-f]{32}"$/.test(first.tag)]).toEqual([200, true])
    expect(await ask(key)).toEqual(first)
    expect(await ask(key, '', `"other", W/${first.tag}`)).toEqual({ status: 304, tag: first.tag, text: '' })
    // Read again without a change.
    await listing(['b', 'a'], 2_000)
    expect((await ask(key, '', first.tag)).status).toBe(304)
    await listing(['a', 'b', 'c'], 3_000)
    const second = await ask(key, '', first.tag)
    const names = (text: string) => JSON.parse(text).data.templates.map(({ name }: Listed) => name)
    expect([second.status, names(second.text)]).toEqual([200, ['a', 'b', 'c']])
    const added = await gateway.addLine({ workspaceId, channelId })
    const third = await ask(key, '', second.tag)
    expect(third.status).toBe(200)
    expect(JSON.parse(third.text).data.templates[0].phoneNumberIds.sort()).toEqual([line.id, added.id].sort())
    await write.recordDeletion({ channelId, name: 'a', language: null, templateId: 'tpl_a', at: 4_000 })
    const fourth = await ask(key, '', third.tag)
    expect([fourth.status, names(fourth.text)]).toEqual([200, ['b', 'c']])
  })

  test('each filter, and each key that sees other lines, has a list of its own', async () => {
    const { workspaceId, channelId, line } = await gateway.addWorkspace()
    const other = await gateway.addLine({ workspaceId, channelId })
    const keys = await Promise.all(
      [null, [line.id], [other.id]].map(lineIds => gateway.createKey({ workspaceId, lineIds })),
    )
    const tags = await Promise.all([
      ...keys.map(key => ask(key)),
      ...['?name=a', '?language=a', '?name=a&language=a'].map(query => ask(keys[0] ?? gateway.key, query)),
      ask(gateway.key),
    ])
    expect(new Set(tags.map(({ tag }) => tag)).size).toBe(tags.length)
  })

  test('more templates than one step reads come whole and in order', async () => {
    const { channelId, key } = await gateway.addWorkspace()
    const names = Array.from({ length: 250 }, (_, at) => `t_${String(at).padStart(3, '0')}`)
    await gateway.gateway.store.write.replaceTemplates({
      ...{ channelId, at: 1_000, recordedAt: 1_000 },
      templates: names.map(name => templateOf({ channelId, name })),
    })
    const all = await Promise.all([ask(key), ask(key), ask(key)])
    for (const { text } of all) expect(JSON.parse(text).data.templates.map(({ name }: Listed) => name)).toEqual(names)
  })
})

describe('the filters', () => {
  test.each([
    ['?name=order', ['order de', 'order en_US']],
    ['?name=order&language=de', ['order de']],
    ['?language=de', ['order de']],
    ['?language=DE', ['order de']],
    ['?name=order&language=en-us', ['order en_US']],
    ['?name=order&language=fr', []],
    ['?name=ORDER', []],
    ['?name=ord%25', []],
    ['?name=hidden_pending', []],
    ['?name=none', []],
    ['?name=%27%20OR%201=1--', []],
    ['?name=%00', []],
    ['?name=order&nam=x&page=2&limit=5', ['order de', 'order en_US']],
    ['?name=order&status=PENDING&Name=a&__proto__=a&x=1&x=2', ['order de', 'order en_US']],
  ])('200: %s', async (query, names) => {
    expect(await named(query)).toEqual(names)
  })

  test.each([
    ['?name=', ['/name']],
    ['?name=&language=', ['/language', '/name']],
    ['?name=a&name=b', ['/name']],
    [`?name=${'x'.repeat(513)}`, ['/name']],
    ['?name=&x=1', ['/name']],
  ])('400 VALIDATION_ERROR: %s', async (query, paths) => {
    const { status, json } = await list(query)
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual(paths)
  })
})
