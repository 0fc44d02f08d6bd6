import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sha256 } from '../../src/base/crypto.ts'
import { timestamp } from '../timestamp.ts'
import { connected, Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

let owner: Awaited<ReturnType<typeof connected>>
beforeAll(async () => {
  owner = await connected(deployment)
})

test('a workspace is created, listed and given a limit', async () => {
  const created = await deployment.json<Identified>(['workspace', 'create', '--name', 'Beta', '--monthly-limit', '100'])
  expect(created).toEqual({
    id: expect.stringMatching(/^ws_/),
    name: 'Beta',
    monthlyMessageLimit: 100,
    createdAt: timestamp,
    monthlyCeiling: 100,
    deletedMessages: 'keep',
    ...{ onOptOut: 'refuse', stopWords: null, startWords: null, optOutAnswer: null, quietHours: null },
  } as unknown as Identified)
  const [list, unlimited] = await Promise.all([
    deployment.json<Identified[]>(['workspace', 'list']),
    deployment.json(['workspace', 'set-limit', created.id, '--unlimited']),
  ])
  expect(list.map(({ id }) => id)).toEqual(expect.arrayContaining([owner.workspaceId, created.id]))
  expect(unlimited).toMatchObject({ id: created.id, monthlyMessageLimit: null })
  expect(await deployment.json(['workspace', 'set-limit', created.id, '--monthly-limit', '0'])).toMatchObject({
    monthlyMessageLimit: 0,
  })
  expect(await deployment.json(['workspace', 'set-deleted', created.id, '--messages', 'hide'])).toMatchObject({
    deletedMessages: 'hide',
  })
})

test('the opt-outs of a workspace are set, each part by itself, and what cannot hold is refused', async () => {
  const set = (...more: string[]) => ['workspace', 'set-opt-outs', owner.workspaceId, ...more]
  const words = await deployment.json(
    set('--on-opt-out', 'send', '--stop-words', 'Basta, basta!,No más', '--answer', 'Bye'),
  )
  expect(words).toMatchObject({
    onOptOut: 'send',
    stopWords: ['Basta', 'No más'],
    startWords: null,
    optOutAnswer: 'Bye',
  })
  expect(await deployment.json(set('--without-words'))).toMatchObject({
    stopWords: [],
    startWords: [],
    optOutAnswer: 'Bye',
  })
  expect((await deployment.run(set('--usual-words', '--without-answer'))).stdout).toMatch(/opt out +STOP, .*PARAR/)
  expect(await deployment.json(set('--on-opt-out', 'refuse'))).toMatchObject({
    onOptOut: 'refuse',
    stopWords: null,
    optOutAnswer: null,
  })
  expectRefusal(await deployment.run(set('--start-words', 'stop')), 2, '“stop” is a word that opts out too')
  expectRefusal(await deployment.run(set('--stop-words', 'STOP,...')), 2, 'must have letters or digits')
  expectRefusal(
    await deployment.run(set('--usual-words', '--without-words')),
    2,
    'Give words, --usual-words or --without-words',
  )
  expectRefusal(await deployment.run(set()), 2, '--on-opt-out')
})

test('a contact is opted out by hand, and in', async () => {
  const { id: workspaceId } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Delta'])
  const add = ['contact', 'add', '--workspace', workspaceId, '--phone', '+4930777777']
  const { id } = await deployment.json<Identified>(add)
  const isOut = () => deployment.withStore(store => store.read.optedOut({ workspaceId, address: '+4930777777' }))
  expect(await deployment.json(['contact', 'opt-out', id])).toMatchObject({ id, value: 'stop' })
  expect(await isOut()).toBe(true)
  expect((await deployment.run(['contact', 'show', id])).stdout).toContain('operator')
  await deployment.json(['contact', 'opt-in', id])
  expect(await isOut()).toBe(false)
  expectRefusal(await deployment.run(['contact', 'opt-out', 'contact_0']), 1, 'contact_0')
})

test('without --json, a person reads what was done and what comes next', async () => {
  const { code, stdout, stderr } = await deployment.run(['workspace', 'create', '--name', 'Gamma'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('✓ Workspace Gamma created')
  expect(stdout).toMatch(/Next: waypost channel connect --workspace ws_/)
})

test('an API key shows its secret once; only a hash of it is stored', async () => {
  const create = ['key', 'create', '--workspace', owner.workspaceId]
  const [labelled, bare] = await Promise.all([
    deployment.json<{ apiKey: string; apiSecret: string }>([...create, '--label', 'CRM']),
    deployment.json(create),
  ])
  const { apiKey, apiSecret } = labelled
  expect(apiKey).toMatch(/^pk_[0-9A-Za-z]{24}$/)
  expect(apiSecret).toMatch(/^sk_[0-9A-Za-z]{43}$/)
  expect(labelled).toMatchObject({ label: 'CRM' })
  expect(bare).toMatchObject({ label: null })
  const stored = await deployment.withStore(store => store.read.key(apiKey))
  expect(stored?.secretHash).toBe(sha256(apiSecret))

  const revoked = await deployment.json<Record<string, unknown>>(['key', 'revoke', apiKey])
  const again = await deployment.json<Record<string, unknown>>(['key', 'revoke', apiKey])
  const list = await deployment.json<Record<string, unknown>[]>(['key', 'list', '--workspace', owner.workspaceId])
  expect(revoked).toEqual({
    onOptOut: null,
    apiKey,
    label: 'CRM',
    workspaceId: owner.workspaceId,
    scope: apiKey,
    allowedNetworks: null,
    scopes: null,
    lineIds: null,
    createdAt: timestamp,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: timestamp,
  })
  expect(again).toEqual(revoked)
  expect(list).toHaveLength(2)
  expect(list.find(key => key.apiKey === apiKey)).toEqual(revoked)
  expect(JSON.stringify(list)).not.toContain('sk_')
  expect(JSON.stringify(list)).not.toContain(sha256(apiSecret))
})

test("a line starts with the upstream's pace, and its state and pace can be changed", async () => {
  const { workspaceId, channelId, lineId } = owner
  const list = await deployment.json(['line', 'list', '--workspace', workspaceId])
  const line = {
    id: lineId,
    upstreamPhoneId: '106540352242922',
    number: '+15550783881',
    active: true,
    isDefault: false,
    perSecond: 80,
    pairSeconds: 6,
    name: null,
    directSend: false,
    label: null,
    quality: null,
    messagingLimit: null,
    channelId,
    workspaceId,
    createdAt: timestamp,
  }
  expect(list).toEqual([{ ...line, updates: [] }])
  expect(await deployment.json(['line', 'deactivate', lineId])).toEqual({
    ...line,
    active: false,
    unnamedLineId: null,
  })
  expect(await deployment.json(['line', 'set-rate', lineId, '--per-second', '0'])).toEqual({
    ...line,
    active: false,
    unnamedLineId: null,
    perSecond: 0,
  })
  expect(await deployment.json(['line', 'set-rate', lineId, '--pair-seconds', '0'])).toMatchObject({
    perSecond: 0,
    pairSeconds: 0,
  })
  expect(await deployment.json(['line', 'activate', lineId])).toMatchObject({ active: true, perSecond: 0 })
  for (const [off, directSend] of [
    [[], true],
    [['--off'], false],
  ] as const)
    expect(await deployment.json(['line', 'direct-send', lineId, ...off])).toMatchObject({ directSend, perSecond: 0 })

  expect(await deployment.json(['line', 'label', lineId, 'Berlin'])).toMatchObject({ label: 'Berlin' })
  expect(await deployment.json(['line', 'label', lineId, '--off'])).toMatchObject({ label: null })

  const add = ['line', 'add', '--channel', channelId, '--upstream-phone-id', '106540352242922']
  const twice = await deployment.run([...add, '--number', '+15550783881', '--json'])
  expectRefusal(twice, 1, 'already')
})

test('with a second line, a person is told what it means for sends that name none, and how to choose a default', async () => {
  const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Two lines'])
  const connect = ['channel', 'connect', '--workspace', id, '--account-id', '2', '--access-token', 't', '--no-verify']
  const channel = await deployment.json<Identified>([...connect, '--app-secret', 's'])
  const add = ['line', 'add', '--channel', channel.id, '--number', '+15550100', '--upstream-phone-id']
  const first = await deployment.json<Identified>([...add, '21'])
  expect(first).toMatchObject({ isDefault: false, unnamedLineId: first.id })
  const second = await deployment.run([...add, '22'])
  expect(second.stdout).toMatch(/sends that name no line +are refused/)
  const secondId = second.stdout.match(/line_\w+/)?.[0] ?? ''
  // The one that was used until now: what is pasted must not send from another number.
  expect(second.stdout).toContain(`Next: waypost line default ${first.id}: `)

  const chosen = await deployment.json(['line', 'default', secondId])
  expect(chosen).toMatchObject({ id: secondId, isDefault: true, unnamedLineId: secondId })
  const third = await deployment.run([...add, '23'])
  expect(third.stdout).toContain(`use +15550100, ${secondId}`)
  const off = await deployment.run(['line', 'deactivate', secondId])
  expect(off.stdout).toContain('deactivated: it is no longer the default line')
  expect(off.stdout).toMatch(/sends that name no line +are refused/)
  // Which one of the other two is for the operator to say, and not the one that was deactivated.
  expect(off.stdout).toContain('Next: waypost line default line_…: ')
  expectRefusal(await deployment.run(['line', 'default', secondId]), 1, 'it cannot be the default')
  expect(await deployment.json(['line', 'default', first.id])).toMatchObject({ unnamedLineId: first.id })
  expect(await deployment.json(['line', 'default', first.id, '--off'])).toMatchObject({ unnamedLineId: null })
  expectRefusal(await deployment.run(['line', 'default', 'line_none']), 1, 'No line has this id: line_none')
})

test('a contact is added under its international number, and added again it takes the new name', async () => {
  const add = ['contact', 'add', '--workspace', owner.workspaceId, '--phone']
  const added = await deployment.json<Identified>([...add, '49 (30) 12-34.56'])
  expect(added).toMatchObject({ id: expect.stringMatching(/^contact_/), phone: '+4930123456', name: null })
  expect(added).toMatchObject({ workspaceId: owner.workspaceId, createdAt: timestamp, updatedAt: timestamp })
  const renamed = await deployment.json<Identified>([...add, '+4930123456', '--name', 'Ada'])
  expect(renamed).toMatchObject({ id: added.id, name: 'Ada' })
  expect(await deployment.json(['contact', 'list', '--workspace', owner.workspaceId])).toEqual([renamed])
})

test('lists of nothing are empty arrays, and tell a person what to do', async () => {
  const { id } = await deployment.json<Identified>(['workspace', 'create', '--name', 'Empty'])
  const nouns = ['channel', 'line', 'key', 'template', 'contact', 'message']
  const lists = await Promise.all(nouns.map(noun => deployment.json([noun, 'list', '--workspace', id])))
  expect(lists).toEqual(nouns.map(() => []))
  const text = await deployment.run(['key', 'list', '--workspace', id])
  expect(text.stdout).toBe(`No API key yet. Create one: waypost key create --workspace ${id}\n`)
})
