/** What a draft can be of. Shared by the server and the page. */

export const parameterFormats = ['POSITIONAL', 'NAMED'] as const

export const mediaKinds = ['image', 'video', 'document', 'gif'] as const
