import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { countryOf } from '../../message/callingCodes.ts'
import { costRows, estimateOf } from '../../message/costs.ts'
import { priceCategories } from '../../message/pricing.ts'

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
