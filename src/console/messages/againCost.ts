import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { countryOf } from '../../message/callingCodes.ts'
import { costRows, estimateOf } from '../../message/costs.ts'
import { priceCategories, pricingOf } from '../../message/pricing.ts'

/**
 * What messages cost at the rates of their workspace, if the platform charges for each (docs/upstream.md#prices): a
 * template by the category that it has now, anything else as an answer to a person.
 * @returns null: the workspace has no rates
 */
export async function costOf(
  read: Pick<StoreReads, 'priceRates' | 'templates'>,
  workspaceId: string,
  messages: readonly Message[],
) {
  const kept = await read.priceRates(workspaceId)
  if (kept === null) return null
  const templates = await read.templates({ workspaceId, approved: false })
  const categories = new Map(
    templates.map(({ channelId, name, language, category }) => [`${channelId} ${name} ${language}`, category]),
  )
  const counts = messages.map(({ type, channelId, templateName, templateLanguage, recipient }) => {
    const ofTemplate = categories.get(`${channelId} ${templateName} ${templateLanguage}`)?.toLowerCase()
    const named = type === 'template' ? ofTemplate : 'service'
    const category = priceCategories.find(known => known === named) ?? 'other'
    return { day: '', category, country: countryOf(recipient), billable: true, count: 1 }
  })
  const { sums, withoutRate } = estimateOf(costRows(counts), kept.rates)
  return { sums: [...sums], withoutRate: withoutRate.reduce((all, { billable }) => all + billable, 0) }
}

/** What a message costs at the rates of its workspace. @returns empty: it is not charged, or has no rate */
export async function costOfOne(read: Pick<StoreReads, 'priceRates'>, message: Message) {
  const { workspaceId, recipient } = message
  const pricing = pricingOf(message.pricing)
  const kept = pricing?.billable ? await read.priceRates(workspaceId) : null
  if (!pricing || !kept) return []
  const counted = { day: '', category: pricing.category, country: countryOf(recipient), billable: true, count: 1 }
  return [...estimateOf(costRows([counted]), kept.rates).sums]
}
