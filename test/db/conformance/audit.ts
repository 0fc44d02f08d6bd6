import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { OpenStore, StoreUnderTest } from '../engines.ts'
import { t0 } from '../fixtures.ts'

export function auditSuite(open: OpenStore): void {
  let db: StoreUnderTest
  beforeEach(async () => {
    db = await open()
  })
  afterEach(() => db.close())

  const origin = (at = t0) => ({ actor: 'cli:ada', at })
  const workspace = (id: string) => ({ id, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
  const entries = () => db.read.auditEntries({ limit: 100 })

  test('an entry and its change are one: what is undone leaves no entry', async () => {
    const answers = await db.batch(
      ['createWorkspace', { ...workspace('ws_1'), origin: origin() }],
      ['createWorkspace', { ...workspace('ws_1'), origin: origin() }],
      ['createWorkspace', { ...workspace('ws_2'), origin: origin() }],
    )
    // In which order calls of one turn are run is the engine's choice.
    const [one, other, third] = answers.map(({ ok }) => ok)
    expect([[one, other].sort(), third]).toEqual([[false, true], true])
    expect((await entries()).map(({ action, subject }) => [action, subject]).sort()).toEqual([
      ['workspace.create', 'ws_1'],
      ['workspace.create', 'ws_2'],
    ])
  })

  test('what changes nothing, and what nobody asked for, is not kept', async () => {
    await db.batch(
      ['setMonthlyLimit', { workspaceId: 'ws_none', limit: 5, origin: origin() }],
      ['createWorkspace', workspace('ws_1')],
    )
    expect(await entries()).toEqual([])
  })

  test('the oldest go by age and beyond the count, in steps', async () => {
    for (let n = 0; n < 10; n += 1) {
      await db.batch(['noteAction', { action: 'session.start', subject: `user_${n}`, origin: origin(t0 + n) }])
    }
    const subjects = async () => (await entries()).map(({ subject }) => Number(subject.slice('user_'.length)))
    expect(await db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(2)
    expect(await db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6, 5, 4, 3])
    expect(await db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(2)
    expect(await db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6])
  })
}
