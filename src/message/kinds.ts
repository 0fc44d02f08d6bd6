/** What the kind of a message that was sent in the app begins with: the upstream's name for the callback. */
export const echoKind = 'smb_message_echoes'

/** @returns whether a person of the business sent it, and no user */
export const isEcho = (kind: string): boolean => kind.startsWith(echoKind)

/** What the kind of a message that a user wrote in a group begins with. */
export const groupKind = 'group'

/** @returns whether others read it too: it opens no window to the user alone */
export const isOfGroup = (kind: string): boolean => kind.startsWith(`${groupKind} `)

/** Changes and deletions of earlier messages: of a user, alone or in a group, and of the business in the app. */
export const changeKinds: readonly string[] = ['', `${groupKind} `, `${echoKind} `].flatMap(origin =>
  ['edit', 'revoke'].map(kind => `${origin}${kind}`),
)
/** @returns whether this is the deletion of a message, and not another text for it */
export const isDeletion = (kind: string): boolean => kind.endsWith('revoke')
export const deletionKinds: readonly string[] = changeKinds.filter(isDeletion)

/** They tell of an earlier message, or of the user: no message that opens a window. */
export const aboutOthers: readonly string[] = ['system', 'edit', 'revoke']

/** The kind of the update by which a person says to the platform whether it wants marketing messages. */
export const marketingKind = 'user_preferences marketing_messages'

/** The same, as it was said here: by a word, or by who works for the workspace. The platform has no such field. */
export const ownMarketingKind = 'own_preferences marketing_messages'

/** Each of them stops marketing for itself, and is taken back by itself. */
export const marketingKinds: readonly string[] = [marketingKind, ownMarketingKind]
