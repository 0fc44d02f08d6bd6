import { beforeEach, expect, test } from 'bun:test'
import type { TemplateStep } from '../../../db/contract/usage.ts'
import { dayMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, apiKey, draft, line, t0 } from '../fixtures.ts'

export function usageSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
    await db.write('createKey', apiKey({ id: 'pk_a' }))
  })

  const countAll = async (before: number, limit = 2) => {
    while ((await db.write('countUsage', { before, limit })) === limit);
  }
  /** `line:line_1 2`. */
  const counts = async (month = '2026-01') =>
    (await db.read.monthlyCounts({ workspaceId: 'ws_1', month })).map(({ kind, count }) => `${kind} ${count}`).sort()
  const send = (id: string, fields: Parameters<typeof draft>[0] = {}) =>
    db.write('acceptMessage', draft({ id, templateName: null, ...fields }))

  test('each message counts once for its key, its line and its template, in the month of its acceptance', async () => {
    expect(await db.read.countedUsage()).toBeNull()
    await send('msg_1', { apiKeyId: 'pk_a' })
    await send('msg_2', { apiKeyId: 'pk_a', lineId: 'line_2', type: 'template', templateName: 'order' })
    await send('msg_3', { apiKeyId: null })
    await countAll(t0 + 1)
    await countAll(t0 + 1)
    const january = ['key: 1', 'key:pk_a 2', 'line:line_1 2', 'line:line_2 1', 'template: 2', 'template:order 1']
    expect(await counts()).toEqual(january)
    expect(await db.read.countedUsage()).toMatchObject({ until: t0 + 1 })
    await db.restart()
    await send('msg_4', { apiKeyId: null, createdAt: t0 + 40 * dayMs })
    await countAll(t0 + 41 * dayMs)
    expect(await counts()).toEqual(january)
    expect(await counts('2026-02')).toEqual(['key: 1', 'line:line_1 1', 'template: 1'])
    // A month is no day, although it comes after the last day of the month before.
    expect(await db.read.dailyCounts({ workspaceId: 'ws_1', since: '2026-01-31' })).toEqual([])
  })

  test('templates are counted by day, name and language, each message once, also what the walk has not reached', async () => {
    const order = (id: string, createdAt: number, templateLanguage: string) =>
      send(id, { type: 'template', templateName: 'order', templateLanguage, createdAt })
    const shown = async (since = '2026-01-01', limit = 10, between?: () => Promise<void>) => {
      const counts = new Map<string, number>()
      let after: TemplateStep | undefined
      for (let steps = 1; ; steps += 1) {
        const step = await db.read.templateCounts({ workspaceId: 'ws_1', since, after, limit })
        for (const { day, name, language, count } of step.counts) {
          const row = `${day} ${name} ${language}`
          counts.set(row, (counts.get(row) ?? 0) + count)
        }
        if (step.next === null) return [...[...counts].map(([row, count]) => `${row} ${count}`).sort(), steps]
        after = step.next
        await between?.()
      }
    }
    await send('msg_1')
    await order('msg_2', t0, 'de')
    await order('msg_3', t0 + 1, 'en_US')
    await order('msg_4', t0 + 2, 'de')
    const first = ['2026-01-01 order de 2', '2026-01-01 order en_US 1']
    expect(await shown()).toEqual([...first, 1])
    // What is counted between two steps counts once.
    expect(await shown('2026-01-01', 1, () => countAll(t0 + 2))).toEqual([...first, 5])
    expect(await shown()).toEqual([...first, 1])
    await order('msg_5', t0 + dayMs, 'de')
    expect(await shown()).toEqual([...first, '2026-01-02 order de 1', 1])
    expect(await shown('2026-01-02')).toEqual(['2026-01-02 order de 1', 1])
    await countAll(t0 + 2 * dayMs)
    expect(await shown()).toEqual([...first, '2026-01-02 order de 1', 1])
    // They are none of the outcomes that the overview adds up.
    expect(await db.read.dailyCounts({ workspaceId: 'ws_1', since: '2026-01-01' })).toEqual([])
  })

  test('counting stops before a message that is too new, also for older ones behind it', async () => {
    await send('msg_1')
    await send('msg_2', { createdAt: t0 + 1_000 })
    await send('msg_3')
    await countAll(t0 + 1)
    expect(await counts()).toContain('line:line_1 1')
    await countAll(t0 + 1_001)
    expect(await counts()).toContain('line:line_1 3')
  })

  test('a message of a clock that was far ahead stops nothing', async () => {
    await send('msg_1', { createdAt: t0 + 2 * dayMs })
    await send('msg_2')
    await countAll(t0 + 1)
    expect(await counts()).toContain('line:line_1 2')
  })

  test('of two that count at once, one counts', async () => {
    for (const n of [1, 2, 3]) await send(`msg_${n}`)
    const counting = ['countUsage', { before: t0 + 1, limit: 10 }] as const
    await db.batch(counting, counting, counting)
    expect(await counts()).toContain('line:line_1 3')
  })

  test('it outlives its messages, and those that get their numbers count as well', async () => {
    for (const n of [1, 2, 3]) await send(`msg_${n}`)
    for (const n of [1, 3]) await db.write('recordEvent', accepted(`msg_${n}`))
    await countAll(t0 + 1)
    // All but the second, which waits.
    await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 10 })
    for (const n of [4, 5, 6]) await send(`msg_${n}`)
    await countAll(t0 + 1)
    expect(await counts()).toContain('line:line_1 6')
  })

  test('of a workspace that is erased nothing is counted any more', async () => {
    await send('msg_1')
    await db.write('recordEvent', accepted('msg_1'))
    await db.write('closeWorkspace', { workspaceId: 'ws_1', at: t0 })
    await countAll(t0 + 1)
    while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 10, at: t0 })).isDone);
    await countAll(t0 + 2)
    expect(await counts()).toEqual([])
  })
}
