import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { Store } from '../../db/contract/store.ts'
import { hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { createBatch } from '../../src/operations/batchMaking.ts'
import { template } from '../db/fixtures.ts'
import { Deployment, expectRefusal, seeded } from './waypost.ts'

/*
 * The words and options of the commands. What batches do is in test/partner/batches.test.ts.
 */

const deployment = new Deployment()
afterAll(() => deployment.remove())

let workspaceId: string
beforeAll(async () => {
  await deployment.withStore(async store => {
    const owner = await seeded(store, '1')
    workspaceId = owner.workspaceId
    const components = JSON.stringify([{ type: 'BODY', text: 'Order {{1}} of {{2}}' }])
    const news = { id: newId('tpl'), channelId: owner.channelId, name: 'news', language: 'en', components }
    const templates = [template({ ...news, status: 'APPROVED' })]
    await store.write.replaceTemplates({ channelId: owner.channelId, at: 1, recordedAt: 1, templates })
  })
})

const id = 'batch_01jd4v7m9xf5ksxj1q5y8p0c3n'
const make = (store: Store) =>
  store.write.createBatch({
    batch: {
      ...{ id, workspaceId, name: 'Spring', state: 'running', keyId: null, scope: workspaceId },
      ...{ idempotencyKey: null, fingerprint: null, defaults: { type: 'text' }, duplicates: 'skip' },
      ...{ createdAt: Date.UTC(2026, 2, 1), sendAt: null },
    },
    items: ['+491', '+491'].map(recipient => ({ recipient, reference: null, body: { phone: recipient } })),
  })

test('a batch is listed, shown, paused, resumed, retried, left without an item and cancelled', async () => {
  await deployment.withStore(make)
  const all = await deployment.json<{ id: string }[]>(['batch', 'list', '--workspace', workspaceId])
  const listed = all.find(batch => batch.id === id)
  expect(listed).toMatchObject({ id, name: 'Spring', state: 'running', total: 2 })
  const shown = await deployment.json<object>(['batch', 'show', id])
  expect(shown).toMatchObject({ ...listed, counts: { WAITING: 1, SKIPPED: 1, SENT: 0 }, warnings: [] })
  const { stdout } = await deployment.run(['batch', 'show', id])
  expect(stdout).toMatch(/^Spring\n[\s\S]*state +running\n[\s\S]*WAITING +1\n +SKIPPED +1\n/)
  expect(await deployment.json<object>(['batch', 'pause', id])).toMatchObject({ state: 'paused' })
  expect(await deployment.json<object>(['batch', 'resume', id])).toMatchObject({ state: 'running' })
  const dry = { id, retried: 0, leftOut: 0, dryRun: true }
  expect(await deployment.json<object>(['batch', 'retry', id])).toEqual(dry)
  expect(await deployment.json<object>(['batch', 'retry', id, '--force'])).toEqual({ ...dry, dryRun: false })
  expectRefusal(await deployment.run(['batch', 'leave-out', id, '1']), 1, 'Only what still waits can be left out')
  expectRefusal(await deployment.run(['batch', 'leave-out', id, '2']), 1, 'no item with this number')
  const left = await deployment.json<object>(['batch', 'leave-out', id, '0'])
  expect(left).toMatchObject({ counts: { WAITING: 0, SKIPPED: 1, CANCELLED: 1 } })
  expect(await deployment.json<object>(['batch', 'cancel', id])).toMatchObject({
    state: 'cancelled',
    counts: { WAITING: 0, CANCELLED: 1 },
  })
  expectRefusal(await deployment.run(['batch', 'resume', id]), 1, 'this one is cancelled')
  const entries = await deployment.withStore(({ read }) => read.auditEntries({ subject: id, limit: 9 }))
  expect(entries.map(({ action }) => action)).toEqual([
    'batch.cancel',
    'batch.leave-out',
    'batch.resume',
    'batch.pause',
  ])
})

test('a list without batches says how one is made', async () => {
  const empty = new Deployment()
  await empty.withStore(store => seeded(store, '1'))
  expect((await empty.run(['batch', 'list'])).stdout).toContain('No batch yet. Make one')
  empty.remove()
})

test('what is not there is told with a code', async () => {
  expectRefusal(await deployment.run(['batch', 'show', 'batch_none']), 1, 'batch_none')
})

describe('a batch of a file', () => {
  interface Made {
    readonly items: number
    readonly mapping: readonly { fills: string; column: string | null }[]
    readonly wrong: readonly { row: number; column: string | null; message: string }[]
    readonly batch: { id: string; state: string; total: number; name: string; counts: Record<string, number> } | null
  }
  const fileOf = (name: string, lines: readonly string[]) => {
    const path = deployment.path(name)
    writeFileSync(path, lines.join('\r\n'))
    return path
  }
  const create = (csv: string, ...options: string[]) =>
    deployment.json<Made>(['batch', 'create', '--csv', csv, '--template', 'news', ...options])
  const bodiesOf = (batchId: string) =>
    deployment.withStore(async ({ write, read }) => {
      await write.moveBatch({ batchId, event: 'start', at: 1 })
      const messageIds = Array.from({ length: 5 }, () => newId('msg'))
      await write.claimBatchItems({ batchId, messageIds })
      return (await read.claimedBatchItems({ batchId, from: 0, limit: 5 })).map(({ body }) => body)
    })

  test('shows first what goes where, and makes nothing by a dry run', async () => {
    const csv = fileOf('dry.csv', ['\ufeffTelefon;1;Name', '+4915112340001;1001;Ada', '0151;1002;Grace'])
    const options = ['--template', 'news', '--map', '2=Name', '--dry-run']
    const { code, stdout } = await deployment.run(['batch', 'create', '--csv', csv, ...options])
    expect(code).toBe(1)
    expect(stdout).toMatch(/phone +Telefon +\+4915112340001\n\{\{1\}\} +1 +1001\n\{\{2\}\} +Name +Ada\n/)
    expect(stdout).toMatch(/\n3 +Telefon +begins with 0,/)
    expect(stdout).toContain('Nothing was made')
  })

  test('with wrong rows is refused, which says where, or made of the others', async () => {
    const rows = [
      'phone,1,2',
      '+4915112340001,1001,Ada',
      '+4915112340002,,Ida',
      `+4915112340003,${'x'.repeat(161)},Ann`,
    ]
    const csv = fileOf('wrong.csv', rows)
    expectRefusal(
      await deployment.run(['batch', 'create', '--csv', csv, '--template', 'news']),
      2,
      'row 3: 1: is empty',
    )
    const { items, wrong, batch } = await create(csv, '--skip-wrong', '--start')
    expect(wrong.map(({ row, column }) => [row, column])).toEqual([
      [3, '1'],
      [4, '1'],
    ])
    expect([items, batch?.state, batch?.total, batch?.name]).toEqual([1, 'running', 1, 'wrong.csv'])
  })

  test('takes columns by hand, the same for all, and a time', async () => {
    const csv = fileOf('map.csv', ['a,b,c', '+4915112340001,Ada,x-1'])
    const options = ['--map', 'phone=a', '--map', '2=b', '--map', 'reference=c', '--value', '1=Friday']
    const sendAt = new Date(Date.now() + hourMs).toISOString()
    const { batch } = await create(csv, ...options, '--send-at', sendAt)
    expect(batch).toMatchObject({ state: 'scheduled', sendAt, total: 1 })
    expect(await bodiesOf(batch?.id ?? '')).toEqual([
      { phone: '+4915112340001', reference: 'x-1', templateVariables: { '1': 'Friday', '2': 'Ada' } },
    ])
  })

  test('goes on where it broke off, and is made once however often it is asked for', async () => {
    const people = Array.from({ length: 2_300 }, (_, at) => `+49151${10_000_000 + at},${at},Ada`)
    const csv = fileOf('many.csv', ['phone,1,2', ...people])
    const first = await create(csv)
    expect(first.batch).toMatchObject({ state: 'draft', total: 2_300 })
    // As if the command had been killed behind its first request.
    const id = await deployment.withStore(async ({ read, write, clock }) => {
      const there = await read.batch(first.batch?.id ?? '')
      if (!there) throw new Error('there is no batch')
      const { name, defaults, duplicates } = there
      const items = people.slice(0, 1_000).map(line => {
        const [phone = '', one = '', two = ''] = line.split(',')
        return { phone, templateVariables: { '1': one, '2': two } }
      })
      const sender = { workspaceId, keyId: null, scope: workspaceId, lineIds: null }
      const given = { name: name ?? '', defaults, duplicates, state: 'draft', idempotencyKey: 'half', items } as const
      const made = await createBatch({ read, write, clock, workspaceId: null }, sender, given, null)
      return 'batch' in made ? made.batch.id : ''
    })
    const again = await create(csv, '--key', 'half')
    expect(again.batch).toMatchObject({ id, state: 'draft', total: 2_300 })
    const started = await create(csv, '--start')
    expect(started.batch).toMatchObject({ id: first.batch?.id, state: 'running' })
    const { stdout } = await deployment.run(['batch', 'create', '--csv', csv, '--template', 'news'])
    expect(stdout).toContain('was made a batch before')
    expect(stdout).toMatch(/items +2300\n/)
  })

  test.each([
    [['--start', '--send-at', '2030-01-01T00:00:00Z'], 2, 'at once, or at that time'],
    [['--send-at', 'tomorrow'], 2, '--send-at must be a time with its offset'],
    [['--map', 'phone=Mobil'], 2, 'the file has the columns phone, name'],
    [['--map', 'phone'], 2, 'It must have a = between both'],
    [['--line', 'line_none'], 2, '--line names no line'],
    [['--language', 'de'], 1, 'exists only in en'],
    [[], 2, 'No column fills {{1}}, {{2}} of the template'],
  ] as const)('%j is refused, with what to do', async (options, code, words) => {
    const csv = fileOf('refused.csv', ['phone,name', '+4915112340001,Ada'])
    expectRefusal(
      await deployment.run(['batch', 'create', '--csv', csv, '--template', 'news', ...options]),
      code,
      words,
    )
  })

  test('a file that is none is told', async () => {
    const run = (path: string) => deployment.run(['batch', 'create', '--csv', path, '--template', 'news'])
    expectRefusal(await run(deployment.path('none.csv')), 2, 'there is no such file')
    expectRefusal(await run(fileOf('empty.csv', ['phone'])), 2, 'no rows below its first line')
  })
})
