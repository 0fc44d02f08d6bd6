/** The types of messages with a file (docs/partner-api.md#files). */
export const fileTypes = ['image', 'video', 'document', 'audio', 'sticker'] as const
export type FileType = (typeof fileTypes)[number]

/** The types of messages that are sent as the upstream has them, but for the names of their fields. */
export const freeformTypes = [...fileTypes, 'location', 'contacts', 'reaction'] as const
export type FreeformType = (typeof freeformTypes)[number]

/** The types of messages. */
export const messageTypes = ['text', 'template', 'interactive', ...freeformTypes] as const
export type MessageType = (typeof messageTypes)[number]

/** What free content is sent as, outside the window (docs/upstream.md#direct-send). */
export const directCategories = ['utility', 'authentication'] as const
export type DirectCategory = (typeof directCategories)[number]

/** In a filter by key or template: the messages without one. Neither has such a name. */
export const withoutOne = '-'
