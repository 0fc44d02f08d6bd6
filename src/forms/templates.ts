/*
 * Words and patterns of templates that both who writes one and who takes it go by (docs/upstream.md#template-creation).
 * Lengths and counts are in src/base/upstreamLimits.ts. Shared with the page.
 */

export const templateCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
/** How a one-time code gets into the app. */
export const codeWays = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const

export const templateNamePattern = /^[a-z0-9_]+$/
export const languagePattern = /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/
/** Of a variable that is no number. */
export const variableNamePattern = /^[a-z_][a-z0-9_]*$/
/** Two parts or more. */
export const packageNamePattern = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
export const signatureHashPattern = /^[A-Za-z0-9+/=]+$/

/** A header has no picture and no markup. */
export const headerPicture = /\p{Extended_Pictographic}/u
export const headerMarkup = /[*_~`]/
/** More than one blank line in a body. */
export const blankLines = /\n{3}/
/** Two variables of a body without words between them. */
export const sideBySide = /\}\}\s*\{\{/

/** @returns the words of a body; with a blank in the place of each variable, the fixed ones */
export const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
/** Seen in the field. @returns the fixed words that a body needs beside so many variables */
export const fixedWordsMin = (variables: number): number => 2 * variables + 1

/** Whether quick replies are one group, before or behind all other buttons. */
export const areTogether = (isQuickReply: readonly boolean[]): boolean =>
  /^q*o*$|^o*q*$/.test(isQuickReply.map(is => (is ? 'q' : 'o')).join(''))

/** No text parameter of a send has these (docs/upstream.md#template-messages). */
export const refusedSpace = /[\n\r\t]| {5}/
