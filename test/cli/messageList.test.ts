import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'papaparse'
import type { MonthlyUsage } from '../../db/contract/queries.ts'
import type { MessageDraft } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { fieldsOf } from '../../db/messageFields.ts'
import { hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { wordsOf } from '../../src/cli/command.ts'
import { ownWamid } from '../../src/graph/ownWamid.ts'
import { type FullDraft, fullDraft, messageOf } from '../db/drafts.ts'
import { draft, line } from '../db/fixtures.ts'
import { Deployment, expectRefusal, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const t0 = Date.UTC(2026, 0, 31)

interface Shown {
  readonly id: string
  readonly keyId: string | null
  readonly recipient: string
}

let owner: Awaited<ReturnType<typeof seeded>>
let ids: string[]

function accept(store: Store, at: number, fields: Partial<MessageDraft> = {}) {
  const id = newId('msg')
  return store.write
    .acceptMessage(
      draft({
        ...owner,
        id,
        recipient: '+15550100200',
        payload: '{"to":"+15550100200","text":{"body":"Hello"}}',
        createdAt: at,
        dispatchedAt: null,
        ...fields,
      }),
    )
    .then(() => id)
}

/** Six messages, an hour apart; the newest first in `ids`. */
beforeAll(async () => {
  await deployment.withStore(async store => {
    owner = await seeded(store)
    const { workspaceId } = owner
    await store.write.createKey({
      id: 'pk_shop',
      workspaceId,
      label: 'shop',
      createdAt: t0,
      secretHash: 'x',
    })
    await store.write.addLine(line({ ...owner, id: 'line_other', upstreamPhoneId: '2' }))
    const idempotency = { scope: 'pk_shop', key: 'order 1/é', fingerprint: 'f0', expiresAt: Number.MAX_SAFE_INTEGER }
    const made = [
      await accept(store, t0, { dispatchedAt: t0 }),
      await accept(store, t0 + hourMs, { recipient: '+15550100201' }),
      await accept(store, t0 + 2 * hourMs, { type: 'template', templateName: 'order' }),
      await accept(store, t0 + 3 * hourMs, { lineId: 'line_other' }),
      await accept(store, t0 + 4 * hourMs, { apiKeyId: 'pk_shop', idempotency }),
      await accept(store, t0 + 5 * hourMs, { dispatchedAt: t0 + 5 * hourMs }),
    ]
    const at = t0 + 6 * hourMs
    const record = { detail: null, recordedAt: at }
    await store.write.recordEvent({
      ...record,
      messageId: made[0] ?? '',
      event: { kind: 'refused', at, reason: '=cmd() said "no", twice' },
    })
    const accepted = { kind: 'accepted', at, channelMessageId: 'wamid.A+b/c==', waId: null } as const
    await store.write.recordEvent({ ...record, messageId: made[5] ?? '', event: accepted })
    ids = made.reverse()
  })
})

const list = async (...options: string[]) => {
  const messages = await deployment.json<Shown[]>(['message', 'list', '--workspace', owner.workspaceId, ...options])
  return messages.map(({ id }) => ids.indexOf(id))
}

describe('messages are found', () => {
  const rows: [by: string, options: string[], found: number[]][] = [
    ['all, newest first', [], [0, 1, 2, 3, 4, 5]],
    ['by recipient, however it is written', ['--recipient', '+1 (555) 010-0201'], [4]],
    ['by type', ['--type', 'template'], [3]],
    ['by template', ['--template', 'order'], [3]],
    ['by line', ['--line', 'line_other'], [2]],
    ['by API key', ['--key', 'pk_shop'], [1]],
    ['by status', ['--status', 'FAILED'], [5]],
    ['by cause', ['--cause', '=cmd() said "no", twice'], [5]],
    ['by a cause that no message has', ['--cause', '131026'], []],
    ['by date', ['--since', '2026-01-31T03:00Z', '--until', '2026-01-31T05:00:00+00:00'], [1, 2]],
    ['by a date alone, which is UTC', ['--until', '2026-01-31'], []],
    ['by how long ago', ['--since', '1d'], []],
    ['by weeks ago', ['--since', '1500w', '--limit', '2'], [0, 1]],
    ['by several at once', ['--type', 'text', '--since', '2026-01-31T01:00Z', '--limit', '2'], [0, 1]],
  ]
  test.each(rows)('%s', async (_, options, found) => {
    expect(await list(...options)).toEqual(found)
  })

  test('page by page, each after the last of the page before', async () => {
    const [, second = ''] = ids
    expect(await list('--limit', '2', '--after', second)).toEqual([2, 3])
    const text = await deployment.run(['message', 'list', '--workspace', owner.workspaceId, '--limit', '2'])
    expect(text.stdout).toContain(`--after ${second}`)
  })

  test('page by page without repeating any, where the clocks of instances disagreed', async () => {
    const made = Array.from({ length: 3 }, () => newId('msg')).sort()
    const workspaceId = await deployment.withStore(async store => {
      const other = await seeded(store)
      for (const [hours, id] of made.entries()) await accept(store, t0 - hours * hourMs, { ...other, id })
      return other.workspaceId
    })
    const queued = ['message', 'list', '--workspace', workspaceId, '--status', 'QUEUED', '--limit', '2']
    const first = await deployment.json<Shown[]>(queued)
    const second = await deployment.json<Shown[]>([...queued, '--after', first.at(-1)?.id ?? ''])
    expect([...first, ...second].map(({ id }) => id)).toEqual(made.toReversed())
  })
})

test('what is no moment, no number and no message is refused', async () => {
  const call = ['message', 'list', '--workspace', owner.workspaceId]
  expectRefusal(await deployment.run([...call, '--since', '2026-01-31T10:00']), 2, '30m, 24h, 7d, 2w')
  expectRefusal(await deployment.run([...call, '--recipient', '12']), 2, '--recipient')
  expectRefusal(await deployment.run([...call, '--after', 'msg_none']), 1, 'No message has this id: msg_none')
  expectRefusal(await deployment.run([...call, '--follow', '--csv']), 2, '--follow has no end')
})

test('--csv is a table for spreadsheets, and runs no formula there', async () => {
  const { stdout } = await deployment.run(['message', 'list', '--workspace', owner.workspaceId, '--csv'])
  const lines = stdout.trimEnd().split('\r\n')
  expect(lines).toHaveLength(7)
  expect(lines[0]).toStartWith('id,status,channelMessageId,failureReason,')
  expect(lines[6]).toContain(`,"'=cmd() said ""no"", twice",`)
  expect(lines[1]).toContain(',+15550100200,')
})

describe('of a message with something in every field', () => {
  let whole: FullDraft
  beforeAll(() =>
    deployment.withStore(async store => {
      const own = await seeded(store, '7')
      await store.write.createKey({
        ...{ id: 'pk_full', workspaceId: own.workspaceId, label: 'full', createdAt: t0, secretHash: 'f' },
      })
      whole = fullDraft({ ...own, id: newId('msg') })
      await store.write.acceptMessage(whole)
    }),
  )

  test('--csv has each value below its name', async () => {
    const { stdout } = await deployment.run(['message', 'list', '--workspace', whole.workspaceId, '--csv'])
    const { data } = parse<Record<string, string>>(stdout.trimEnd(), { header: true })
    expect(data).toEqual([expect.objectContaining({ id: whole.id, ...fieldsOf(messageOf(whole)) })])
  })

  test('message show has each value behind its name', async () => {
    const { stdout } = await deployment.run(['message', 'show', whole.id])
    const shown = stdout.split('\n').map(line => line.trim().split(/ {2,}/))
    const { type, recipient, ...values } = fieldsOf(messageOf(whole))
    expect(stdout).toStartWith(`${type} to ${recipient}: QUEUED`)
    expect(shown).toEqual(expect.arrayContaining(Object.entries(values).map(([name, value]) => [wordsOf(name), value])))
  })
})

test('--csv to a file keeps each sign as it was given; for people what steers a terminal is left out', async () => {
  const reference = 'order \u200e17\u200f'
  const { workspaceId } = await deployment.withStore(async store => {
    const other = await seeded(store)
    await accept(store, t0, { ...other, reference })
    return other
  })
  const list = ['message', 'list', '--workspace', workspaceId]
  expect((await deployment.run([...list, '--csv'])).stdout).toContain(`,${reference},`)
  expect((await deployment.run(list)).stdout).not.toMatch(/[\u200e\u200f]/)
})

test('--bom begins the table with the mark of UTF-8 and keeps numbers text, and without --csv there is none', async () => {
  const call = ['message', 'list', '--workspace', owner.workspaceId, '--bom']
  const { stdout } = await deployment.run([...call, '--csv'])
  expect(stdout).toStartWith('\ufeffid,status,')
  expect(stdout).toContain(',"\t+15550100200",')
  expectRefusal(await deployment.run(call), 2, '--bom begins a table')
})

describe('message show', () => {
  const rows = [
    ['our id', () => ids[0] ?? '', 0],
    ["the upstream's id", () => 'wamid.A+b/c==', 0],
    ['the id that an existing client was answered with', () => ownWamid(ids[0] ?? ''), 0],
    ['an idempotency key', () => 'order 1/é', 1],
  ] as const
  test.each(rows)('takes %s', async (_, reference, found) => {
    const shown = await deployment.json<Shown>(['message', 'show', reference()])
    expect(ids.indexOf(shown.id)).toBe(found)
  })

  test('shows what is sent, the key that sent it and its idempotency key', async () => {
    const shown = await deployment.json(['message', 'show', ids[1] ?? ''])
    expect(shown).toMatchObject({
      content: { to: '+15550100200', text: { body: 'Hello' } },
      keyId: 'pk_shop',
      idempotencyKey: 'order 1/é',
    })
    const { stdout } = await deployment.run(['message', 'show', ids[1] ?? ''])
    expect(stdout).toContain('{"body":"Hello"}')
    expect(stdout).toContain('pk_shop')
    expect(stdout).toMatch(/^ {2}idempotency key +order 1\/é$/m)
  })
})

test('--follow prints what is there, then each new message once, and ends with its reader', async () => {
  // A workspace of its own: the other tests count what is in theirs.
  const { followed, first } = await deployment.withStore(async store => {
    const followed = await seeded(store)
    return { followed, first: await accept(store, t0, followed) }
  })
  const args = ['message', 'list', '--workspace', followed.workspaceId, '--follow', '--limit', '1', '--json']
  const child = deployment.spawn(args)
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let text = ''
  const readLine = async () => {
    while (!text.includes('\n')) text += decoder.decode((await reader.read()).value, { stream: true })
    const line = text.slice(0, text.indexOf('\n'))
    text = text.slice(line.length + 1)
    return (JSON.parse(line) as Shown).id
  }
  expect(await readLine()).toBe(first)
  const fresh = await deployment.withStore(async store => [
    await accept(store, Date.now(), { ...followed, recipient: '+15550100999' }),
    await accept(store, Date.now(), { ...followed, recipient: '+15550100999' }),
  ])
  expect([await readLine(), await readLine()]).toEqual(fresh)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
})

test('usage counts each workspace and month', async () => {
  const month = new Date().toISOString().slice(0, 7)
  const usage = await deployment.json<MonthlyUsage[]>(['usage', '--workspace', owner.workspaceId])
  expect(usage.find(entry => entry.month === '2026-01')).toEqual({
    workspaceId: owner.workspaceId,
    workspaceName: 'Acme',
    month: '2026-01',
    // The refused one is given back.
    used: 5,
    limit: null,
  })
  expect(await deployment.json(['usage', '--month', '2020-01'])).toEqual([])
  expectRefusal(await deployment.run(['usage', '--month', '2026-13']), 2, 'as in 2026-01')
  expect(usage.map(entry => entry.month).filter(other => other !== '2026-01' && other !== month)).toEqual([])
})
