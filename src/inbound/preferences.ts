import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import { field, text } from '../base/json.ts'
import { closed, orNull, Type } from '../base/schema.ts'
import { marketingKind } from '../message/kinds.ts'

/** A wish of a user, as callers and the page see it. */
export const preferenceSchema = closed({
  category: Type.String({ description: '`marketing_messages`; be ready for more.' }),
  value: Type.String({ description: '`stop` or `resume`; be ready for more.' }),
  detail: orNull(Type.String(), { description: "The upstream platform's sentence about it." }),
  at: Type.String({ format: 'date-time', description: 'When the user said so.' }),
})

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

/** @param updates what the upstream said about a contact. @returns whether the person has asked for no marketing */
export const wantsNoMarketing = (updates: readonly UpstreamUpdate[]): boolean =>
  updates.some(({ kind, detail }) => kind === marketingKind && field(detail, 'value') === 'stop')
