import { Elysia } from 'elysia'
import { closed, Type } from '../../base/schema.ts'
import { chargesOf, lineOf } from '../../operations/batchDetails.ts'
import { batchOf } from '../../operations/batches.ts'
import { optOutsOf } from '../../operations/batchOutlook.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { textOrNull, wired } from '../shapes.ts'
import { itemsWithContacts, knownContact } from './contacts.ts'

/** So many people tell whether the values are right. */
const previewed = 3
/** Among so many of the first they are looked for: most want marketing, or it is none. */
const lookedAt = 50
/** What fills a template. */
const filling = ['templateVariables', 'bodyParameters', 'carousel'] as const

const answer = wired('CampaignPreview', {
  lineId: textOrNull,
  people: Type.Array(
    closed({
      recipient: textOrNull,
      contact: knownContact,
      templateId: { ...textOrNull, description: 'Null: there is none, or it is not known.' },
      text: { ...textOrNull, description: 'Of a text.' },
      values: Type.Object({}, { additionalProperties: true, description: 'The fields of a send that fill it.' }),
    }),
    { description: 'The first of its people who get it, as long as what they get is kept.' },
  ),
})

/** What the people of a campaign see. */
export function previewRoutes(parts: ConsoleParts) {
  const { read } = parts.store
  return new Elysia({ name: 'console-campaign-preview' }).use(guard(parts)).get(
    '/campaigns/:batchId/preview',
    async ({ member, params: { batchId } }) => {
      const batch = done(await batchOf(member, batchId))
      const lines = await read.lines(member.workspaceId)
      const chargeOf = chargesOf(read, batch, lines)
      const isLeftOut = await optOutsOf(read, batch)
      const items = await read.firstBatchItems({ batchId: batch.id, limit: lookedAt })
      const getIt: typeof items = []
      for (const item of items) {
        if (getIt.length === previewed) break
        if (item.state !== 'waiting' || !(await isLeftOut(item.recipient, item.body))) getIt.push(item)
      }
      const people = []
      // Where nobody gets it, it is shown all the same.
      for (const { recipient, body } of getIt.length > 0 ? getIt : items.slice(0, previewed)) {
        const { template } = await chargeOf(body)
        const fields: Readonly<Record<string, unknown>> = { ...batch.defaults, ...body }
        const values = Object.fromEntries(filling.flatMap(name => (fields[name] ? [[name, fields[name]]] : [])))
        const { type, content } = fields
        const text = type === 'text' && typeof content === 'string' ? content : null
        people.push({ recipient: recipient === '' ? null : recipient, templateId: template?.id ?? null, text, values })
      }
      return {
        lineId: lineOf(batch, lines)?.id ?? null,
        people: await itemsWithContacts(read, member.workspaceId, people),
      }
    },
    { role: 'viewer', response: answer, summary: 'Show what the first people of a campaign see' },
  )
}
