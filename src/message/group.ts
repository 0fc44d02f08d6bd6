/** What the kind of a message that a user wrote in a group begins with. */
export const groupKind = 'group'

/** @returns whether others read it too: it opens no window to the user alone */
export const isOfGroup = (kind: string): boolean => kind.startsWith(`${groupKind} `)
