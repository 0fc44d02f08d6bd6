import { beforeEach, describe, expect, test } from 'bun:test'
import type { Template } from '../../../db/contract/records.ts'
import { dayMs, hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { channel, t0, template } from '../fixtures.ts'

export function templatesSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const list = (at: number, ...templates: readonly Template[]) =>
    db.write('replaceTemplates', { channelId: 'chan_1', templates, at, recordedAt: at + 1_000 })
  const stored = (name = 'order_confirmation') => db.read.templatesNamed({ channelId: 'chan_1', name })
  const shown = (approved = false) => db.read.templates({ workspaceId: 'ws_1', approved })

  describe('a listing', () => {
    test('makes the stored templates equal to it', async () => {
      await list(t0, template({ id: 'tpl_1' }), template({ id: 'tpl_2', language: 'de', status: 'PENDING' }))
      expect(await stored()).toEqual([
        template({ id: 'tpl_2', language: 'de', status: 'PENDING' }),
        template({ id: 'tpl_1' }),
      ])
      expect(await shown(true)).toEqual([template({ id: 'tpl_1' })])
    })

    test('read again it keeps the ids, and the time of what did not change', async () => {
      await list(t0, template({ id: 'tpl_1' }))
      await list(t0 + 1, template({ id: 'tpl_new', updatedAt: t0 + 1 }))
      expect(await stored()).toEqual([template({ id: 'tpl_1', updatedAt: t0 })])
    })

    const changes: readonly Partial<Template>[] = [
      { upstreamId: '1002' },
      { category: 'MARKETING' },
      { status: 'PAUSED' },
      { parameterFormat: 'NAMED' },
      { components: '[{"type":"BODY","text":"Hi"}]' },
      { status: 'REJECTED', rejectedReason: 'PROMOTIONAL' },
    ]
    test.each(changes)('a change of %o is taken over, with its time and under the same id', async change => {
      await list(t0, template({ id: 'tpl_1' }))
      await list(t0 + 1, template({ id: 'tpl_new', ...change }))
      expect(await stored()).toEqual([template({ id: 'tpl_1', ...change, updatedAt: t0 + 1 })])
    })

    test('what it does not hold any more is DELETED: shown to nobody, known to the operator', async () => {
      await list(t0, template({ id: 'tpl_1' }), template({ id: 'tpl_2', name: 'other' }))
      await list(t0 + 1, template({ id: 'tpl_3', name: 'other' }))
      expect(await stored()).toMatchObject([{ id: 'tpl_1', status: 'DELETED', updatedAt: t0 + 1 }])
      expect((await shown()).map(({ id }) => id)).toEqual(['tpl_2'])
      await list(t0 + 2, template({ id: 'tpl_3', name: 'other' }))
      expect(await stored()).toMatchObject([{ status: 'DELETED', updatedAt: t0 + 1 }])
    })

    test('of which records could not be read deletes nothing, and tells what it can', async () => {
      await list(t0, template({ id: 'tpl_1' }), template({ id: 'tpl_2', name: 'other' }))
      const templates = [template({ id: 'tpl_3', name: 'other', status: 'PAUSED' })]
      await db.write('replaceTemplates', {
        channelId: 'chan_1',
        templates,
        at: t0 + 1,
        recordedAt: t0 + 2,
        isPartial: true,
      })
      expect((await shown()).map(({ id, status }) => [id, status])).toEqual([
        ['tpl_1', 'APPROVED'],
        ['tpl_2', 'PAUSED'],
      ])
    })

    test('an empty one deletes all', async () => {
      await list(t0, template({ id: 'tpl_1' }), template({ id: 'tpl_2', name: 'other' }))
      await list(t0 + 1)
      expect(await shown()).toEqual([])
      expect(await stored()).toMatchObject([{ status: 'DELETED' }])
    })

    test('what comes back has its old id', async () => {
      await list(t0, template({ id: 'tpl_1' }))
      await list(t0 + 1)
      await list(t0 + 2, template({ id: 'tpl_new' }))
      expect(await stored()).toEqual([template({ id: 'tpl_1', updatedAt: t0 + 2 })])
    })

    test('of one channel leaves those of another alone', async () => {
      await db.write('connectChannel', channel({ id: 'chan_2', accountId: '2' }))
      await list(t0, template({ id: 'tpl_1' }))
      const templates = [template({ id: 'tpl_2', channelId: 'chan_2' })]
      await db.write('replaceTemplates', { channelId: 'chan_2', templates, at: t0 + 1, recordedAt: t0 + 2 })
      expect(await stored()).toMatchObject([{ id: 'tpl_1', status: 'APPROVED' }])
      await list(t0 + 2)
      expect(await db.read.templatesNamed({ channelId: 'chan_2', name: 'order_confirmation' })).toMatchObject([
        { status: 'APPROVED' },
      ])
    })

    test('of 10,000, the most that an account can hold, works', async () => {
      const many = Array.from({ length: 10_000 }, (_, index) => template({ id: `tpl_${index}`, name: `t${index}` }))
      await list(t0, ...many)
      await list(t0 + 1, ...many.slice(1))
      expect(await stored('t0')).toMatchObject([{ status: 'DELETED' }])
      expect(await stored('t9999')).toMatchObject([{ status: 'APPROVED', updatedAt: t0 }])
    })

    test('that cannot be stored whole is not stored in part', async () => {
      await list(t0, template({ id: 'tpl_1' }))
      const broken = template({ id: 'tpl_3', name: null as unknown as string })
      await expect(list(t0 + 1, template({ id: 'tpl_2', name: 'other' }), broken)).rejects.toThrow()
      expect(await stored('other')).toEqual([])
      expect(await stored()).toMatchObject([{ status: 'APPROVED' }])
    })
  })

  describe('the list', () => {
    test('is sorted by the bytes of name and language, by name if asked, and of one workspace', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await list(
        t0,
        template({ id: 'tpl_1', name: 'b' }),
        template({ id: 'tpl_2', name: 'a', language: 'en' }),
        template({ id: 'tpl_3', name: 'a', language: 'de' }),
        template({ id: 'tpl_4', name: '\u00e4' }),
        template({ id: 'tpl_5', name: 'B' }),
      )
      expect((await shown()).map(({ id }) => id)).toEqual(['tpl_5', 'tpl_3', 'tpl_2', 'tpl_1', 'tpl_4'])
      expect(await db.read.templates({ workspaceId: 'ws_1', approved: true, name: 'b' })).toHaveLength(1)
      expect(await db.read.templates({ workspaceId: 'ws_2', approved: false })).toEqual([])
    })
  })

  test("one is found by the upstream's id, in its workspace alone, unless it is deleted", async () => {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await list(t0, template({ id: 'tpl_1', upstreamId: '7', status: 'PAUSED' }))
    const found = (workspaceId: string, upstreamId: string) => db.read.templateListed({ workspaceId, upstreamId })
    expect(await found('ws_1', '7')).toMatchObject({ id: 'tpl_1', channelId: 'chan_1' })
    expect([await found('ws_1', '8'), await found('ws_2', '7')]).toEqual([null, null])
    await list(t0 + 1)
    expect(await found('ws_1', '7')).toBeNull()
  })

  test('those of a channel are read step by step, in any status', async () => {
    const names = ['a', 'b', 'c'].flatMap(name => ['de', 'en'].map(language => ({ name, language })))
    await list(
      t0,
      ...names.map((named, at) => template({ id: `tpl_${at}`, ...named, status: at ? 'APPROVED' : 'PAUSED' })),
    )
    const seen: string[] = []
    let after: Pick<Template, 'name' | 'language'> | null = null
    for (;;) {
      const step: Template[] = await db.read.templateStep({ channelId: 'chan_1', after, limit: 4 })
      seen.push(...step.map(({ name, language }) => `${name} ${language}`))
      after = step.at(-1) ?? null
      if (step.length < 4) break
    }
    expect(seen).toEqual(['a de', 'a en', 'b de', 'b en', 'c de', 'c en'])
    expect(await db.read.templateStep({ channelId: 'chan_2', after: null, limit: 4 })).toEqual([])
  })

  test('each change of a channel gives its templates another generation, and no other channel', async () => {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
    const generation = async (workspaceId = 'ws_1') => await db.read.templateGenerations(workspaceId)
    const seen = new Set([JSON.stringify(await generation())])
    const change = async (done: Promise<unknown>) => {
      await done
      seen.add(JSON.stringify(await generation()))
    }
    await change(list(t0, template({ id: 'tpl_1' })))
    await change(db.write('recordTemplate', { action: 'create', template: template({ id: 'tpl_2', name: 'new' }) }))
    const named = { channelId: 'chan_1', name: 'new', at: t0 + 1 }
    await change(db.write('recordDeletion', { ...named, language: null, templateId: 'tpl_2' }))
    const update = { channelId: 'chan_1', accountId: '100001', name: 'order_confirmation', language: 'en_US' }
    const why = { reason: null, recommendation: null }
    await change(
      db.write('applyTemplateUpdate', { ...update, ...why, status: 'PAUSED', at: t0 + 2, recordedAt: t0 + 2 }),
    )
    expect(seen.size).toBe(5)
    // Never again that of a former database, which a backup has replaced.
    const [{ generation: last } = { generation: 0 }] = await generation()
    expect(last).toBeGreaterThan(t0)
    expect(await generation('ws_2')).toEqual([{ channelId: 'chan_2', generation: 0 }])
  })

  describe('an update of a template', () => {
    const update = (
      status: string | null,
      fields: { at?: number; recordedAt?: number; language?: string; accountId?: string; channelId?: string } = {},
    ) =>
      db.write('applyTemplateUpdate', {
        channelId: 'chan_1',
        accountId: '100001',
        name: 'order_confirmation',
        language: 'en-US',
        ...{ reason: null, recommendation: null },
        status,
        at: t0 + 60_000,
        recordedAt: t0 + 60_400,
        ...fields,
      })

    beforeEach(() => list(t0, template({ id: 'tpl_1' })))

    test('changes its status at once, whatever way its language is spelt, and asks for a new listing', async () => {
      expect(await update('PAUSED')).toEqual(['chan_1'])
      expect(await stored()).toEqual([
        template({ id: 'tpl_1', status: 'PAUSED', updatedAt: t0 + 60_400, lastUpdateAt: t0 + 60_000 }),
      ])
    })

    test('that is older than the record, or says nothing of the status, changes nothing', async () => {
      expect(await update('PAUSED', { at: t0 - 60_000 })).toEqual(['chan_1'])
      expect(await update(null)).toEqual(['chan_1'])
      expect(await stored()).toEqual([template({ id: 'tpl_1' })])
    })

    test('gives way to the listing that was begun when it came, and so in the same second', async () => {
      await update('PENDING')
      const edited = template({ id: 'tpl_2', components: '[{"type":"BODY","text":"Hi {{1}}, {{2}}"}]' })
      await list(t0 + 60_400, edited)
      expect(await stored()).toMatchObject([{ id: 'tpl_1', status: 'APPROVED', components: edited.components }])
    })

    test('that came while a listing was read is newer than that listing', async () => {
      await update('PAUSED')
      await list(t0 + 60_300, template({ id: 'tpl_2' }))
      expect(await stored()).toMatchObject([{ status: 'PAUSED' }])
      await list(t0 + 60_300)
      expect(await stored()).toMatchObject([{ status: 'PAUSED' }])
    })

    test('that was dated in the future gives way to the next listing as well', async () => {
      await update('PAUSED', { at: t0 + hourMs })
      await list(t0 + 60_500, template({ id: 'tpl_2' }))
      expect(await stored()).toMatchObject([{ status: 'APPROVED', lastUpdateAt: null }])
    })

    test('gives way to a later update, also to one that changed nothing', async () => {
      await update('APPROVED', { at: t0 + 20_000 })
      await update('PAUSED', { at: t0 + 10_000 })
      expect(await stored()).toEqual([template({ id: 'tpl_1', lastUpdateAt: t0 + 20_000 })])
      await update('PAUSED', { at: t0 + 30_000 })
      expect(await stored()).toMatchObject([{ status: 'PAUSED' }])
    })

    test('and a listing change a record that is dated after now: the clock was ahead when it was written', async () => {
      const year = 365 * dayMs
      await list(t0 + year, template({ id: 'tpl_1', status: 'PENDING' }), template({ id: 'tpl_2', name: 'other' }))
      await update('PAUSED')
      expect(await stored()).toMatchObject([{ status: 'PAUSED', updatedAt: t0 + 60_400 }])
      await list(t0 + year, template({ id: 'tpl_1', status: 'PENDING' }), template({ id: 'tpl_2', name: 'other' }))
      await list(t0 + 70_000, template({ id: 'tpl_1' }))
      expect(await stored()).toMatchObject([{ status: 'APPROVED', updatedAt: t0 + 70_000 }])
      expect(await stored('other')).toMatchObject([{ status: 'DELETED' }])
    })

    test('of an account that the workspace has not connected is nobody’s', async () => {
      expect(await update('PAUSED', { accountId: '999' })).toEqual([])
      expect(await update('PAUSED', { channelId: 'chan_9' })).toEqual([])
      expect(await stored()).toEqual([template({ id: 'tpl_1' })])
    })

    test('that another workspace’s channel brings changes nothing, although it names our account', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
      expect(await update('PAUSED', { channelId: 'chan_2' })).toEqual([])
      expect(await stored()).toEqual([template({ id: 'tpl_1' })])
    })
  })

  describe('a change that the upstream accepted', () => {
    const record = (action: 'create' | 'edit', fields: Partial<Template>) =>
      db.write('recordTemplate', { action, template: template(fields) })

    test('a created template is there before the next listing, and a listing begun before it leaves it alone', async () => {
      await record('create', { id: 'tpl_new', status: 'PENDING', updatedAt: t0 + 10 })
      await list(t0 + 5)
      expect(await stored()).toMatchObject([{ id: 'tpl_new', status: 'PENDING' }])
      await list(t0 + 20)
      expect(await stored()).toMatchObject([{ id: 'tpl_new', status: 'DELETED' }])
    })

    test('an edit, or a creation under a name that was deleted, keeps the id, and forgets why it was rejected', async () => {
      await list(t0, template({ id: 'tpl_1', status: 'REJECTED', rejectedReason: 'PROMOTIONAL' }))
      const components = '[{"type":"BODY","text":"Other"}]'
      expect((await record('edit', { id: 'tpl_new', components, updatedAt: t0 + 1 }))?.id).toBe('tpl_1')
      expect(await stored()).toEqual([template({ id: 'tpl_1', components, updatedAt: t0 + 1 })])
    })

    test('nothing is stored for a channel that is gone', async () => {
      expect(await record('create', { channelId: 'chan_none' })).toBeNull()
    })

    test('a deletion takes one language, or all of the name', async () => {
      const others = [template({ id: 'tpl_2', language: 'de' }), template({ id: 'tpl_3', name: 'other' })]
      await list(t0, template({ id: 'tpl_1' }), ...others)
      const remove = (language: string | null) =>
        db.write('recordDeletion', {
          channelId: 'chan_1',
          templateId: 'tpl_1',
          name: 'order_confirmation',
          language,
          at: t0 + 1,
        })
      await remove('en_US')
      expect((await shown()).map(({ id }) => id)).toEqual(['tpl_2', 'tpl_3'])
      await remove(null)
      expect((await shown()).map(({ id }) => id)).toEqual(['tpl_3'])
    })
  })
}
