/**
 * Characters as the limits count them: Unicode code points, so that an emoji outside the basic plane is one.
 * The upstream does not say how it counts. People count this way, except for joined emoji.
 */
export function charCount(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      count--
      at++
    }
  }
  return count
}

/**
 * True when the text has more characters than that. Short texts are not walked: a text never has fewer units than code
 * points.
 */
export function isLongerThan(text: string, charsMax: number): boolean {
  return text.length > charsMax && charCount(text) > charsMax
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/**
 * For comparing texts in any case. The Turkish capital of `i` has a dot, which `toLowerCase` leaves behind the letter:
 * without it, both are one letter.
 */
export const caseless = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i')
