import type { RelatedEntry } from '../../db/contract/inbound.ts'
import type { JsonObject } from '../base/json.ts'
import { withIds } from '../message/naming.ts'

/** @returns what a user wrote, where each message that it names has the id by which it is known here */
export const knownContent = ({ content, related: { named } }: Pick<RelatedEntry, 'content' | 'related'>): JsonObject =>
  named.size === 0 ? content : withIds(content, id => named.get(id)?.channelMessageId ?? id)
