import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import { field, text } from '../base/json.ts'

/**
 * @param updates what the upstream said about a contact
 * @returns what the person said about messages that it wants (docs/upstream.md#account-updates)
 */
export const preferencesOf = (updates: readonly UpstreamUpdate[]) =>
  updates
    .filter(({ kind }) => kind.startsWith('user_preferences'))
    .map(({ kind, at, detail }) => ({
      category: text(field(detail, 'category')) ?? kind.replace('user_preferences ', ''),
      value: text(field(detail, 'value')) ?? 'unknown',
      detail: text(field(detail, 'detail')),
      at: new Date(at).toISOString(),
    }))
