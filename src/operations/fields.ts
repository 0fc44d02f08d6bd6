import { Type } from '../schema.ts'
import { hourMs } from '../time/durations.ts'
import { type Refused, wrongField } from './act.ts'

/*
 * Fields that several acts take, with their bounds.
 */

/** A name fits on a line of a list and a title of the console. */
const nameLengthMax = 120

/** What people call a workspace, a key, an endpoint, themselves. `nameOf` checks its form. */
export const nameField = Type.String({ minLength: 1, maxLength: nameLengthMax })

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/

/** Whether it is one line of text without control characters, as a terminal shows it. */
export const isPrintable = (text: string): boolean => !controlCharacters.test(text)

/** @returns the name without spaces around it; null when nothing is left, or it cannot be shown on a line */
export function nameOf(text: string): string | null {
  const name = text.trim()
  return name !== '' && name.length <= nameLengthMax && isPrintable(name) ? name : null
}

/** Said of a name that is none. */
export const nameRule = `must have 1 to ${nameLengthMax} printable characters`

/** @param path of the field. @returns such a name; null stays null, and what is left out stays out */
export function nameIn<Given extends string | null | undefined>(given: Given, path: string): Given | Refused {
  if (given === null || given === undefined) return given
  return (nameOf(given) as Given | null) ?? wrongField(path, nameRule)
}

/** Longer than any id of ours. */
const idLengthMax = 100
export const idField = Type.String({ maxLength: idLengthMax })

/** What a rotation takes: how long the former secret still works, in hours. */
export const graceFields = (msMax: number) => ({
  graceHours: Type.Optional(Type.Integer({ minimum: 0, maximum: msMax / hourMs })),
})

/** @returns the grace in milliseconds; undefined: what the act does without one */
export const graceMsOf = ({ graceHours }: { readonly graceHours?: number }) =>
  graceHours === undefined ? undefined : graceHours * hourMs
