import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fieldsOf } from '../../../src/partner/dropIn/fields.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'
import { failure, graphClient, reached } from './graphClient.ts'

const gateway = sharedFixture(() => startTestGateway({ env: { GRAPH_API: 'on' } }))
const reads = ['graph', 'messages:send', 'templates:read', 'templates:write', 'inbound', 'media'] as const
let client: ReturnType<typeof graphClient>
let plain = ''
let passing = ''
beforeAll(async () => {
  client = graphClient(gateway)
  plain = await client.tokenOf(reads)
  passing = await client.tokenOf([...reads, 'graph:pass'])
  await gateway.addTemplates({ name: 'plain', upstreamId: '777' })
})
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = () => Response.json({ data: [] })
  // With a limit, the gateway itself reads the templates again, after a change.
  gateway.upstream.listing = request => {
    if (request.path.includes('limit=')) return new Response(null, { status: 503 })
    gateway.upstream.received.push(request)
    return Response.json({ data: [] })
  }
})
const line = () => gateway.line.upstreamPhoneId

/** The calls that read or change what has fields, and one that clients ask for. */
const calls = [
  ['GET', 'LINE', 'id,quality_rating,throughput'],
  ['GET', 'ACCOUNT/phone_numbers', 'id,display_phone_number,status'],
  ['GET', 'ACCOUNT/message_templates', 'name,components,quality_score'],
  ['POST', 'ACCOUNT/message_templates', 'id,status'],
  ['DELETE', 'ACCOUNT/message_templates', 'id'],
  ['GET', '777', 'id,name,status'],
  ['POST', '777', 'id,status'],
  ['GET', 'LINE/whatsapp_business_profile', 'about,websites'],
  ['GET', 'LINE/block_users', 'wa_id'],
  ['POST', 'LINE/block_users', 'wa_id'],
] as const

/** What the platform answers as a field of a line or an account, though it is an edge of it; and what nobody knows. */
const beyond = [
  'groups',
  'message_history',
  'business_compliance_info',
  'call_permissions',
  'official_business_account',
]
const others = ['settings', 'message_qrdls', 'certificate', 'assigned_users', 'owner_business_info', 'anything_new']

describe.each(calls)('%s %s', (method, path, known) => {
  const ask = (token: string, query: string) =>
    client.ask(`/v23.0/${path.replace('LINE', line()).replace('ACCOUNT', '100001')}?${query}`, { method, token })

  test('answers the fields that it is about', async () => {
    expect((await ask(plain, `fields=${known}`)).status).toBe(200)
    expect((await ask(plain, 'fields=')).status).toBe(200)
    expect(reached(gateway)[0]).toEndWith(`?fields=${encodeURIComponent(known)}`)
  })

  test('answers others to a key that may pass calls on, alone', async () => {
    for (const name of [...beyond, ...others]) {
      const { json, ...answer } = await ask(plain, `fields=id,${name}`)
      expect([failure({ ...answer, json }), json.error.error_data.details]).toEqual([
        '403 200',
        `The field ${name} needs the scope graph:pass, which the API key lacks.`,
      ])
    }
    // The platform takes the last of them.
    expect(failure(await ask(plain, 'fields=id&fields=groups'))).toBe('403 200')
    expect(reached(gateway)).toEqual([])
    expect((await ask(passing, 'fields=id,groups')).status).toBe(200)
    expect(reached(gateway)[0]).toEndWith('?fields=id%2Cgroups')
  })

  test.each([
    ...['id,groups{id}', 'id,groups.limit(9)', 'groups.id', 'id,groups()', 'groups{', 'id, groups', 'ID', 'id,Groups'],
    ...['id,', ',id', 'id,,groups', 'id;groups', 'id\ngroups', 'id%00', 'ｉｄ', 'id,groups.as(id)', 'x'.repeat(61)],
  ])('with fields=%j is refused, whatever the key may', async fields => {
    for (const token of [plain, passing])
      expect(failure(await ask(token, `fields=${encodeURIComponent(fields)}`))).toBe('400 100')
    expect(reached(gateway)).toEqual([])
  })
})

test('a body names fields as a query does', async () => {
  const ask = (fields: unknown, token = plain) =>
    client.json('/100001/message_templates', 'POST', { name: 'a', fields }, { token })
  expect(failure(await ask('id,groups'))).toBe('403 200')
  expect(failure(await ask('groups{id}'))).toBe('400 100')
  expect((await ask('id,status')).status).toBe(200)
  expect((await ask('id,groups', passing)).status).toBe(200)
})

const period = 'start(1693506600).end(1706725800)'
test.each([
  [`analytics.${period}.granularity(DAY).phone_numbers([]).country_codes(["US", "BR"])`],
  [`id,conversation_analytics.${period}.granularity(MONTHLY).dimensions(["CONVERSATION_TYPE","COUNTRY"]),name`],
  [`pricing_analytics.${period}.granularity(DAILY).phone_numbers(["+4915112345678"]).metric_types(["COST"])`],
])(
  'the numbers of an account are asked for as the platform has it, by a key that may pass calls on: %s',
  async fields => {
    const ask = (token: string, path = '100001') =>
      client.ask(`/v23.0/${path}?fields=${encodeURIComponent(fields)}`, { method: 'GET', token })
    expect((await ask(passing)).status).toBe(200)
    expect(gateway.upstream.received.map(({ path }) => new URL(path, 'http://a').searchParams.get('fields'))).toEqual([
      fields,
    ])
    const narrow = await client.tokenOf(['graph', 'graph:pass'], { lineIds: [gateway.line.id] })
    expect([failure(await ask(plain)), failure(await ask(narrow)), failure(await ask(passing, line()))]).toEqual([
      ...['403 200', '403 200', '400 100'],
    ])
    expect(reached(gateway)).toHaveLength(1)
  },
)

test.each([
  'analytics.start(1){id}',
  'analytics.start(1).fields(id{x})',
  'analytics.start((1))',
  'analytics.start(1).end',
  'owner.analytics.start(1)',
  'groups.limit(9),analytics.start(1)',
  'analytics.start(1).block_users',
  'analytics.start(1),block_users',
  'phone_analytics.start(1)',
])('and nothing else is asked for by it: %s', async fields => {
  expect(
    failure(await client.ask(`/100001?fields=${encodeURIComponent(fields)}`, { method: 'GET', token: passing })),
  ).toBe('400 100')
  expect(reached(gateway)).toEqual([])
})

test('whom a line has blocked is a field of nothing', async () => {
  for (const [method, path] of [
    ['GET', line()],
    ['POST', line()],
    ['GET', '100001/phone_numbers'],
    ['POST', `${line()}/register`],
  ] as const)
    expect(failure(await client.ask(`/${path}?fields=id,block_users`, { method, token: passing }))).toBe('400 100')
  expect(reached(gateway)).toEqual([])
})

test('the guide lists them', () => {
  const guide = readFileSync('docs/drop-in.md', 'utf8').split('### Fields')[1]?.split('## Sending')[0] ?? ''
  const rows = [...guide.matchAll(/^\| (?!of |---).+? \| (`.+`) \|$/gm)]
  const listed = rows.map(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(listed).toEqual(Object.values(fieldsOf).filter(names => names.length > 0) as unknown as string[][])
})
