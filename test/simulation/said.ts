import { field, list, text } from '../../src/base/json.ts'

/*
 * What a request of the platform says, whatever its type: a word by which a history tells its sends from each other,
 * and the file that it shows.
 */

const firstText = (components: unknown): string | null => {
  for (const component of list(components))
    for (const parameter of list(field(component, 'parameters'))) {
      const said = text(field(parameter, 'text'))
      if (said !== null) return said
    }
  return null
}

/** @returns the first word of what a request says: the name of a send. Behind it may stand what makes it long */
export function wordOf(payload: unknown): string {
  const type = text(field(payload, 'type')) ?? 'text'
  const content = field(payload, type)
  const saidBy: Readonly<Record<string, () => string | null>> = {
    text: () => text(field(content, 'body')),
    template: () => firstText(field(content, 'components')),
    interactive: () => text(field(field(content, 'body'), 'text')),
    location: () => text(field(content, 'name')),
    contacts: () => text(field(field(list(content)[0], 'name'), 'formatted_name')),
  }
  const said = saidBy[type]?.() ?? text(field(content, 'caption')) ?? ''
  return said.split(/\s/, 1)[0] ?? ''
}

/** @returns the id of the file that a request shows; null: it shows none */
export function fileIn(payload: unknown): string | null {
  const content = field(payload, text(field(payload, 'type')) ?? 'text')
  return text(field(content, 'id'))
}

/** @returns the name of the template that a request sends; null: it sends none */
export const templateIn = (payload: unknown): string | null => text(field(field(payload, 'template'), 'name'))
