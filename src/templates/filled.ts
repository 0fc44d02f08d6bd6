import { charCount } from '../base/chars.ts'
import type { TextShape } from './markers.ts'

/**
 * @param what names the text: "the body"
 * @param textFor what fills a slot, by its key; a slot counts as often as it stands in the text
 * @returns why the text is too long once it is filled
 */
export function filledProblem(
  what: string,
  { slots, fixedChars }: TextShape,
  textFor: (key: string) => string,
  charsMax: number,
): string | undefined {
  const chars = slots.reduce((sum, { key, times }) => sum + times * charCount(textFor(key)), fixedChars)
  return chars > charsMax ? `makes ${what} ${chars} characters long; at most ${charsMax} are allowed` : undefined
}
