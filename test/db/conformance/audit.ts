import { expect, test } from 'bun:test'
import type { AuditQuery } from '../../../db/contract/queries.ts'
import { freshFixture } from '../../fixture.ts'
import type { OpenStore } from '../engines.ts'
import { t0 } from '../fixtures.ts'

export function auditSuite(open: OpenStore): void {
  const db = freshFixture(() => open())

  const authorship = (at = t0) => ({ actor: 'cli:ada', at })
  const workspace = (id: string) => ({ id, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
  const entries = () => db.read.auditEntries({ limit: 100 })

  test('an entry and its change are one: what is undone leaves no entry', async () => {
    const answers = await db.batch(
      ['createWorkspace', { ...workspace('ws_1'), authorship: authorship() }],
      ['createWorkspace', { ...workspace('ws_1'), authorship: authorship() }],
      ['createWorkspace', { ...workspace('ws_2'), authorship: authorship() }],
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
      ['setMonthlyLimit', { workspaceId: 'ws_none', limit: 5, authorship: authorship() }],
      ['createWorkspace', workspace('ws_1')],
    )
    expect(await entries()).toEqual([])
  })

  test('the oldest go by age and beyond the count, in steps', async () => {
    for (let n = 0; n < 10; n += 1) {
      await db.batch(['noteAction', { action: 'session.start', subject: `user_${n}`, authorship: authorship(t0 + n) }])
    }
    const subjects = async () => (await entries()).map(({ subject }) => Number(subject.slice('user_'.length)))
    expect(await db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(2)
    expect(await db.write('pruneAudit', { recordedBefore: t0 + 3, keep: 100, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6, 5, 4, 3])
    expect(await db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(2)
    expect(await db.write('pruneAudit', { recordedBefore: t0, keep: 4, limit: 2 })).toBe(1)
    expect(await subjects()).toEqual([9, 8, 7, 6])
  })

  /** A query by each field, with the entries that it finds. A field without a row is a type error. */
  const queries: {
    readonly [Field in keyof Required<Omit<AuditQuery, 'limit'>>]: readonly [AuditQuery[Field], string]
  } = {
    actor: ['cli:ada', '3 1'],
    action: ['message', '3 2 1 0'],
    subject: ['user_1', '1'],
    workspaceId: ['ws_1', '3'],
    since: [t0 + 1, '3 2 1'],
    until: [t0 + 2, '1 0'],
    after: [3, '1 0'],
  }
  test.each(Object.entries(queries))('is read by %s', async (field, [value, found]) => {
    await db.write('createWorkspace', workspace('ws_1'))
    for (let n = 0; n < 4; n += 1) {
      const of = { actor: n % 2 === 0 ? 'cli:grace' : 'cli:ada', ...(n === 3 && { workspaceId: 'ws_1' }) }
      await db.write('noteAction', {
        action: 'message.send-again',
        subject: `user_${n}`,
        authorship: { ...authorship(t0 + n), ...of },
      })
    }
    const all = await entries()
    const asked = field === 'after' ? all[4 - Number(value)]?.id : value
    const read = await db.read.auditEntries({ [field]: asked, limit: 9 })
    expect(read.map(({ subject }) => subject.slice('user_'.length)).join(' ')).toBe(found)
    expect(await db.read.auditEntries({ [field]: asked, limit: 1 })).toEqual(read.slice(0, 1))
  })

  test('tells who sent a message or made a batch: by name, or by address when there is no account any more', async () => {
    await db.write('createWorkspace', workspace('ws_1'))
    const ann = { id: 'user_ann', email: 'ann@example.com', name: 'Ann', passwordHash: 'h', role: 'member' } as const
    await db.write('createUser', { ...ann, createdAt: t0, workspaceId: 'ws_1' })
    const noted = [
      ['msg_1', 'message.send', 'ann@example.com'],
      ['msg_2', 'message.send-again', 'gone@example.com'],
      ['msg_3', 'template.upload-example', 'ann@example.com'],
    ] as const
    for (const [subject, action, email] of noted) {
      const by = { ...authorship(), actor: `console:${email}` }
      await db.write('noteAction', { action, subject, authorship: by })
    }
    const batch = {
      ...{ id: 'batch_1', workspaceId: 'ws_1', name: null, state: 'draft' as const, keyId: null, scope: 'ws_1' },
      ...{ idempotencyKey: null, fingerprint: 'f', defaults: {}, duplicates: 'skip' as const, createdAt: t0 },
      sendAt: null,
    }
    // Its letters behind `cli:` must be no address of the console.
    const byCommand = { ...authorship(), actor: 'cli:ada-ann@example.com' }
    await db.write('createBatch', { batch, items: [], authorship: byCommand })
    const authors = await db.read.authors(['msg_1', 'msg_2', 'msg_3', 'msg_4', 'batch_1'])
    expect([...authors].sort()).toEqual([
      ['batch_1', { userId: null, name: 'ada-ann@example.com' }],
      ['msg_1', { userId: 'user_ann', name: 'Ann' }],
      ['msg_2', { userId: null, name: 'gone@example.com' }],
    ])
    expect((await db.read.authors([])).size).toBe(0)
  })

  test('is read by an action or an actor, and by the kind of several, but not by a part of it', async () => {
    await db.write('noteAction', {
      action: 'message.send-again',
      subject: 'msg_1',
      authorship: { ...authorship(), actor: 'cli:ada' },
    })
    const count = async (query: object) => (await db.read.auditEntries({ ...query, limit: 9 })).length
    const actions = ['message.send-again', 'message', 'mess'].map(action => count({ action }))
    const actors = ['cli:ada', 'cli', 'cl', 'console'].map(actor => count({ actor }))
    expect(await Promise.all([...actions, ...actors])).toEqual([1, 1, 0, 1, 1, 0, 0])
  })
}
