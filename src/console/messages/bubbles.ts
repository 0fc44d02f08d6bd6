import type { Message, Template } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { bubbleOf, templateNamed } from '../../templates/bubble.ts'
import type { MessageDetails } from './schemas.ts'

/**
 * @returns a function that shows messages as their recipients see them, with the template that each names, as it is
 *   now. The templates of many messages are read once
 */
export function bubblesOf(read: Pick<StoreReads, 'templatesNamed'>) {
  const known = new Map<string, Promise<readonly Template[]>>()
  const recordsOf = (channelId: string, name: string) => {
    const key = `${channelId} ${name}`
    const records = known.get(key) ?? read.templatesNamed({ channelId, name })
    known.set(key, records)
    return records
  }
  return async ({ channelId }: Pick<Message, 'channelId'>, payload: string) => {
    const named = templateNamed(payload)
    const records = named ? await recordsOf(channelId, named.name) : []
    const template = records.find(({ language }) => language === named?.language) ?? null
    return { template, bubble: bubbleOf(payload, template) as MessageDetails['bubble'] }
  }
}
