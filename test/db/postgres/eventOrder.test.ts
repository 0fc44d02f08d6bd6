import { describe, expect, test } from 'bun:test'
import type { WorkspaceEvent } from '../../../db/contract/events.ts'
import { eventVerbs } from '../../../db/postgres/events.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { callbackVerbs, inTransactions } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import { accepted, draft, inbound, report, t0, template } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending } from './instance.ts'

const messagesMax = 60
const inboundMax = 25
const updatesMax = 20

describe.skipIf(!hasPostgres)('events that two instances store at once', () => {
  const current = postgresDatabase()

  test('who follows the list meanwhile gets each once, and misses none', async () => {
    await seedSending(current())
    const [one, other] = [await openInstance(current().url), await openInstance(current().url)]
    const writes = [one, other].map(({ pool }) => ({
      ...inTransactions(pool),
      ...callbackVerbs(pool),
      ...eventVerbs(pool, true),
    }))
    const [first] = writes
    if (!first) throw new Error('no instance')
    const ids = Array.from({ length: messagesMax }, (_, n) => `msg_${n}`)
    await Promise.all(ids.map(id => one.acceptMessage(draft({ id }))))
    await first.replaceTemplates({ channelId: 'chan_1', templates: [template()], at: t0, recordedAt: t0 })

    const { read, seen, end } = follow(storeReads(current().pool))
    const following = read()
    const work = writes.flatMap((write, instance) => [
      async () => {
        for (const [n, id] of ids.entries()) if (n % 2 === instance) await write.recordEvent(accepted(id))
      },
      // Of all messages, also of those that the other instance settles at this moment.
      async () => {
        for (const id of ids) {
          const status = instance === 0 ? 'delivered' : 'read'
          const reports = [report(status, { messageId: id, channelMessageId: `wamid.${id}` })]
          await write.applyReports({ channelId: 'chan_1', reports, recordedAt: t0 })
        }
      },
      async () => {
        for (let n = 0; n < inboundMax; n += 1) {
          const messages = [inbound({ channelMessageId: `wamid.in${instance}.${n}`, upstreamPhoneId: null })]
          await write.recordInbound({ channelId: 'chan_1', messages, recordedAt: t0 })
        }
      },
      async () => {
        for (let n = 0; n < updatesMax; n += 1) {
          const status = (n + instance) % 2 === 0 ? 'PAUSED' : 'APPROVED'
          const named = {
            channelId: 'chan_1',
            accountId: '100001',
            name: 'order_confirmation',
            language: 'en_US',
            reason: null,
            recommendation: null,
          }
          const at = t0 + n * 1_000
          await write.applyTemplateUpdate({ ...named, status, at, recordedAt: at })
        }
      },
    ])
    await Promise.all(work.map(run => run()))
    end()
    await following

    const stored = await current().pool.query<{ seq: number }>('SELECT seq::float8 AS seq FROM events ORDER BY seq')
    expect(seen.map(({ seq }) => seq)).toEqual(stored.map(({ seq }) => seq))
    const ofType = (type: string) => seen.filter(event => event.type === type)
    for (const type of ['message.sent', 'message.delivered', 'message.read'])
      expect(new Set(ofType(type).map(({ message }) => message?.id))).toEqual(new Set(ids))
    expect(seen.filter(({ message }) => message)).toHaveLength(3 * messagesMax)
    expect(ofType('message.received')).toHaveLength(2 * inboundMax)
    expect(ofType('template.updated').length).toBeGreaterThan(0)
    for (const events of Map.groupBy(
      seen.filter(({ message }) => message),
      ({ message }) => message?.id,
    ).values())
      expect(events.map(({ sequence }) => sequence)).toEqual([2, 3, 4])
    await one.close()
    await other.close()
  })
})

/** Follows the list from its beginning, until `end` was called and nothing is left. */
function follow({ events }: Pick<ReturnType<typeof storeReads>, 'events'>) {
  const seen: WorkspaceEvent[] = []
  let isEnded = false
  return {
    seen,
    end() {
      isEnded = true
    },
    async read() {
      for (let after = 0; ; ) {
        const isLast = isEnded
        const page = await events({ workspaceId: 'ws_1', after, limit: 7 })
        seen.push(...page.events)
        if (page.upTo === after && isLast) return
        after = page.upTo
      }
    },
  }
}
