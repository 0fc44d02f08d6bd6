/** What a workspace reads of a message that the person deleted: as it was, or that there was one. */
export const deletedMessages = ['keep', 'hide'] as const

export type DeletedMessages = (typeof deletedMessages)[number]
