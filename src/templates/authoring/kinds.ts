/** What a draft can be of. Shared by the server and the page. */

export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

export const parameterFormats = ['POSITIONAL', 'NAMED'] as const

export const mediaKinds = ['image', 'video', 'document', 'gif'] as const

/** How a one-time code gets into the app. */
export const codeWays = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const
