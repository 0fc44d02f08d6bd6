import { languages, notifiedOf } from '../../../db/contract/preferences.ts'
import { userRoles } from '../../../db/contract/roles.ts'
import { passwordLengthMin } from '../../base/names.ts'
import { closed, type Static, Type, wire } from '../../base/schema.ts'
import { passwordLengthMax } from '../../operations/passwords.ts'
import { orNull, shape, textOrNull, wired } from '../shapes.ts'

/** For signing in: a password of any length is compared, but none is longer. */
export const passwordField = Type.String({ minLength: 1, maxLength: passwordLengthMax })
export const newPasswordField = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: `${passwordLengthMin} to ${passwordLengthMax} characters.`,
})
/** A recovery code with its dashes, and some spaces. */
const codeLengthMax = 32
export const codeField = Type.String({
  minLength: 1,
  maxLength: codeLengthMax,
  description: 'Six digits of the authenticator app, or a recovery code.',
})
export const roleField = Type.Enum([...userRoles], { type: 'string', description: 'From `viewer` up to `owner`.' })

/** Longer than the token of any link. */
const tokenLengthMax = 128
export const tokenField = Type.String({
  minLength: 1,
  maxLength: tokenLengthMax,
  description: 'The part of the link after the `#`.',
})
export const tokenBody = wired('LinkToken', { token: tokenField })

export const endedAnswer = wired('Ended', { ended: Type.Integer({ description: 'How many sign-ins were ended.' }) })

export const membershipSchema = shape('Membership', { id: Type.String(), name: Type.String(), role: roleField })

const preferences = {
  enterSends: orNull(Type.Boolean(), {
    description: 'Whether Enter sends a message. Null: where there is a keyboard.',
  }),
  notifications: Type.Enum([...notifiedOf], {
    type: 'string',
    description: 'Of whose new messages: `mine` are taken.',
  }),
  sound: Type.Boolean({ description: 'Whether new messages are heard.' }),
  notificationText: Type.Boolean({ description: 'Whether notifications show what was written.' }),
  language: orNull(Type.Enum([...languages], { type: 'string' }), { description: 'Null: that of the browser.' }),
}
export const preferencesBody = wire(Type.Partial(shape('PreferencesChange', preferences)))

const accountSchema = shape('Account', {
  user: closed({
    id: Type.String(),
    email: Type.String(),
    name: textOrNull,
    hasSecondFactor: Type.Boolean({ description: 'Whether sign-ins ask for a code of an authenticator app.' }),
  }),
  preferences: shape('Preferences', preferences),
  workspaces: Type.Array(membershipSchema, { description: "The user's workspaces, by name." }),
})

export const accountAnswer = wire(accountSchema)

const sessionSchema = shape('Session', {
  accessToken: Type.String({ description: 'For `Authorization: Bearer`.' }),
  expiresAt: Type.String({ format: 'date-time', description: 'Refresh before then.' }),
  ...accountSchema.properties,
})
/** What signing in and refreshing answer. */
export type SessionAnswer = Static<typeof sessionSchema>
export const sessionAnswer = wire(sessionSchema)
