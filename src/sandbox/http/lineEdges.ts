import { field, type JsonObject, list, text } from '../../base/json.ts'
import { windowMs } from '../../base/upstreamLimits.ts'
import { PROBLEMS } from '../checks/problems.ts'
import type { Refusal } from '../checks/refusals.ts'
import { onlyDigits, writtenNumber } from '../state/phone.ts'
import { newNumericId, pairOf } from '../state/random.ts'
import type { SandboxState } from '../state/sandboxState.ts'

/** With both, it did a part of what it was asked for. */
export type Outcome =
  | { readonly value: unknown; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly value?: object }

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
  'POST block_users': block,
  'DELETE block_users': unblock,
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

/** Only who wrote within 24 hours is blocked. Whom it does not block, it names beside those that it does. */
function block({ blocked, windows, clock }: SandboxState, { lineId, body }: Call): Outcome {
  const users = usersIn(body)
  if (users.length === 0) return noUsers
  const wrote = ({ waId }: User) => clock.now() - (windows.get(pairOf(lineId, waId))?.at ?? 0) < windowMs
  const added = users.filter(wrote)
  for (const { waId } of added) blocked.set(pairOf(lineId, waId), { lineId, waId })
  const failed = users.filter(user => !wrote(user)).map(user => ({ ...shownUser(user), errors: [notHeard] }))
  const shown = { added_users: added.map(shownUser), ...(failed.length > 0 && { failed_users: failed }) }
  const value = { messaging_product: 'whatsapp', block_users: shown }
  return failed.length === 0 ? { value } : { value, refusal: { code: 139100 } }
}

const notHeard = {
  message: 'Re-engagement required',
  code: 131047,
  error_data: { details: 'User has not messaged in the last 24 hours' },
}

function unblock({ blocked }: SandboxState, { lineId, body }: Call): Outcome {
  const users = usersIn(body)
  for (const { waId } of users) blocked.delete(pairOf(lineId, waId))
  const shown = { removed_users: users.map(shownUser) }
  return users.length === 0 ? noUsers : { value: { messaging_product: 'whatsapp', block_users: shown } }
}

interface User {
  readonly input: string
  readonly waId: string
}

const noUsers: Outcome = { refusal: PROBLEMS.required('block_users') }
const shownUser = ({ input, waId }: User) => ({ input, wa_id: waId })

const usersIn = ({ block_users: users }: JsonObject): readonly User[] =>
  list(users).flatMap(user => {
    const [number, userId] = [text(field(user, 'user')), text(field(user, 'user_id'))]
    if (number !== null) return { input: number, waId: writtenNumber(onlyDigits(number)) }
    return userId === null ? [] : { input: userId, waId: userId }
  })
