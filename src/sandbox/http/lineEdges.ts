import { field, type JsonObject, list, text } from '../../base/json.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { newNumericId } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'

export type Outcome = { readonly value: unknown } | { readonly refusal: Refusal }

interface Call {
  readonly lineId: string
  /** Of a QR code, behind the edge; empty: there is none. */
  readonly code: string
  readonly body: JsonObject
  readonly query: URLSearchParams
}

const profileFields = ['about', 'address', 'description', 'email', 'profile_picture_url', 'websites', 'vertical']
const done: Outcome = { value: { success: true } }

/** What a line has beside its messages (docs/upstream.md#profile-blocked-users-and-qr-codes). */
export const lineEdges: Readonly<Record<string, (state: SandboxState, call: Call) => Outcome>> = {
  'GET whatsapp_business_profile'({ profiles }, { lineId, query }) {
    const asked = query.get('fields')?.split(',') ?? []
    const profile = Object.entries(profiles.get(lineId) ?? {}).filter(([name]) => asked.includes(name))
    return { value: { data: [{ ...Object.fromEntries(profile), messaging_product: 'whatsapp' }] } }
  },
  'POST whatsapp_business_profile'({ profiles }, { lineId, body }) {
    const given = Object.entries(body).filter(([name]) => profileFields.includes(name))
    profiles.set(lineId, { ...profiles.get(lineId), ...Object.fromEntries(given) })
    return done
  },
  'GET block_users'({ blocked }, { lineId }) {
    const users = [...blocked.values()].filter(user => user.lineId === lineId)
    return { value: { data: users.map(({ waId }) => ({ messaging_product: 'whatsapp', wa_id: waId })) } }
  },
  'POST block_users': ({ blocked }, call) => ofUsers(call, 'added_users', (key, user) => blocked.set(key, user)),
  'DELETE block_users': ({ blocked }, call) => ofUsers(call, 'removed_users', key => blocked.delete(key)),
  'GET message_qrdls'({ qrCodes }, { lineId, code }) {
    const found = [...qrCodes.values()].filter(qr => qr.lineId === lineId && (code === '' || qr.code === code))
    return { value: { data: found.map(shown) } }
  },
  'POST message_qrdls'({ qrCodes, random }, { lineId, code, body, query }) {
    const words = text(body.prefilled_message ?? query.get('prefilled_message'))
    if (words === null) return { refusal: PROBLEMS.required('prefilled_message') }
    const qr = { lineId, words, code: text(code) ?? text(body.code) ?? newNumericId(random) }
    qrCodes.set(qr.code, qr)
    return { value: shown(qr) }
  },
  'DELETE message_qrdls'({ qrCodes }, { lineId, code }) {
    if (qrCodes.get(code)?.lineId !== lineId) return { refusal: PROBLEMS.unknownObject(code) }
    qrCodes.delete(code)
    return done
  },
}

const shown = ({ code, words }: { readonly code: string; readonly words: string }) => ({
  ...{ code, prefilled_message: words, deep_link_url: `https://wa.me/message/${code}` },
})

/** @param name of the list of those that were changed */
function ofUsers(
  { lineId, body }: Call,
  name: string,
  change: (key: string, user: { readonly lineId: string; readonly waId: string }) => unknown,
): Outcome {
  const users = list(body.block_users).flatMap(user => text(field(user, 'user') ?? field(user, 'user_id')) ?? [])
  if (users.length === 0) return { refusal: PROBLEMS.required('block_users') }
  const changed = users.map(input => ({ input, wa_id: input.replace(/^\+/, '') }))
  for (const { wa_id: waId } of changed) change(`${lineId} ${waId}`, { lineId, waId })
  return { value: { messaging_product: 'whatsapp', block_users: { [name]: changed } } }
}
