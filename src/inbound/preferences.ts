import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import { field, isText, text } from '../base/json.ts'
import { closed, orNull, type Static, Type } from '../base/schema.ts'
import { marketingKinds, ownMarketingKind } from '../message/kinds.ts'
import { platformSource, type WishSource, wishWays } from '../message/optOut.ts'

export const wishSourceSchema = closed(
  {
    kind: Type.Enum([...wishWays], {
      description:
        '`platform`: the user said it to the upstream platform. `word`: by a word to this workspace. `member`: ' +
        'somebody in the console. `key`: an API key. `operator`: who runs the gateway.',
    }),
    word: orNull(Type.String(), { description: 'The word, as the workspace has it.' }),
    by: orNull(Type.String(), { description: 'The name of the member, else its address; or the id of the API key.' }),
  },
  { title: 'PreferenceSource', description: 'By which way it came.' },
)

/** A wish of a user, as callers and the page see it. */
export const preferenceSchema = closed({
  category: Type.String({ description: '`marketing_messages`; be ready for more.' }),
  value: Type.String({ description: '`stop` or `resume`; be ready for more.' }),
  detail: orNull(Type.String(), { description: "The upstream platform's sentence about it." }),
  source: wishSourceSchema,
  at: Type.String({ format: 'date-time', description: 'When the user said so.' }),
})
type Preference = Static<typeof preferenceSchema>

const prefix = 'user_preferences '

/**
 * @param updates what the upstream said about a contact, and what was said of it here
 * @returns what the person said about messages that it wants (docs/upstream.md#account-updates)
 */
export const preferencesOf = (updates: readonly UpstreamUpdate[]): Preference[] =>
  updates
    .filter(({ kind }) => kind === ownMarketingKind || kind.startsWith(prefix))
    .map(({ kind, at, detail }) => ({
      category: text(field(detail, 'category')) ?? kind.replace(prefix, ''),
      value: text(field(detail, 'value')) ?? 'unknown',
      detail: kind === ownMarketingKind ? null : text(field(detail, 'detail')),
      source: kind === ownMarketingKind ? sourceIn(detail) : platformSource,
      at: new Date(at).toISOString(),
    }))

function sourceIn(detail: unknown): WishSource {
  const source = field(detail, 'source')
  const kind = wishWays.find(way => way === field(source, 'kind')) ?? 'operator'
  return { kind, word: text(field(source, 'word')), by: text(field(source, 'by')) }
}

/** @returns what was said here of marketing, and the digest of the message that made it so; null: nothing */
export function ownWishOf(updates: readonly UpstreamUpdate[]): { value: unknown; since: string | null } | null {
  const own = updates.find(({ kind }) => kind === ownMarketingKind)
  if (!own) return null
  const { value, since } = own.detail
  return { value, since: isText(since) ? since : null }
}

/** @returns whether the person has asked for no marketing, the platform or here */
export const wantsNoMarketing = (updates: readonly UpstreamUpdate[]): boolean =>
  updates.some(({ kind, detail }) => marketingKinds.includes(kind) && field(detail, 'value') === 'stop')
