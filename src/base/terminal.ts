/*
 * What a terminal takes for more than text, and people or the platform may have written: control characters (with ESC,
 * which begins a sequence, and those of C1, which are one), and the marks that change the direction of what follows.
 */
const steering = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

const steeringCharacter = new RegExp(`[${steering}]`, 'g')
/** The colors of commands and of the log, which hide nothing, and line ends are kept. */
const steeringPart = new RegExp(`(\\u001b\\[(?:0|[12]|22|3[1-46]|39|4[19]|90)m|\\r\\n|[\\n\\t])|[${steering}]`, 'g')

/** A text of others within a line: a name, a reason, an address. */
export const printable = (text: string): string => text.replace(steeringCharacter, '')

/** What is written to a terminal as a whole, in which texts of others may stand. */
export const steady = (text: string): string => text.replace(steeringPart, (_part, kept = '') => kept)

/** JSON of the same meaning that steers no terminal: `JSON.stringify` escapes the first 32 control characters alone. */
export const jsonText = (data: unknown, indent?: number): string =>
  String(JSON.stringify(data, null, indent)).replace(steeringCharacter, character =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
