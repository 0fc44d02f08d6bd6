/**
 * For comparing texts in any case. The Turkish capital of `i` has a dot, which `toLowerCase` leaves behind the letter:
 * without it, both are one letter.
 */
export const caseless = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i')
