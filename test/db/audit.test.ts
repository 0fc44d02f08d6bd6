import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { hungAfterMs } from '../timeLimit.ts'
import { openDatabase, type TestDatabase, t0 } from './fixtures.ts'

setDefaultTimeout(hungAfterMs)

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
})
afterEach(() => db.close())

const origin = (at = t0) => ({ actor: 'cli:ada', at })
const workspace = (id: string) => ({ id, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
const entries = () => db.read.auditEntries({ limit: 100 })

test('an entry and its change are one: what is undone leaves no entry', async () => {
  const answers = db.batch(
    ['createWorkspace', { ...workspace('ws_1'), origin: origin() }],
    ['createWorkspace', { ...workspace('ws_1'), origin: origin() }],
    ['createWorkspace', { ...workspace('ws_2'), origin: origin() }],
  )
  expect(answers.map(({ ok }) => ok)).toEqual([true, false, true])
  expect((await entries()).map(({ action, subject }) => [action, subject])).toEqual([
    ['workspace.create', 'ws_2'],
    ['workspace.create', 'ws_1'],
  ])
})

test('what changes nothing, and what nobody asked for, is not kept', async () => {
  db.batch(
    ['setMonthlyLimit', { workspaceId: 'ws_none', limit: 5, origin: origin() }],
    ['createWorkspace', workspace('ws_1')],
  )
  expect(await entries()).toEqual([])
})

test('the oldest go by age and beyond the count, in steps', async () => {
  for (let n = 0; n < 10; n += 1) {
    db.batch(['noteAction', { action: 'session.start', subject: `user_${n}`, origin: origin(t0 + n) }])
  }
  const subjects = async () => (await entries()).map(({ subject }) => Number(subject.slice('user_'.length)))
  expect(db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(2)
  expect(db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(1)
  expect(await subjects()).toEqual([9, 8, 7, 6, 5, 4, 3])
  expect(db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(2)
  expect(db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(1)
  expect(await subjects()).toEqual([9, 8, 7, 6])
})
