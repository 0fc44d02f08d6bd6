import type { SendValues } from '../../../../../templates/authoring/values.ts'
import type { TemplateDetail } from '../../templates/queries.ts'

type Contact = { readonly name: string | null; readonly phone: string | null }

/** What stands before a name in a text: “Hi {{1}}”. */
const greeting = /(?:^|[\s*_~!¡])(?:hi|hello|hey|dear|hallo|liebe[r]?|hola|bonjour|ciao|ol[aá]|namaste)[\s,*_~]*$/i

/**
 * @returns the values that the contact itself has: its name and its number, where the template asks for them. What
 *   header and address share with the text is another thing there
 */
export function filledFrom(
  { name, phone }: Contact,
  { template, variables }: Pick<TemplateDetail, 'template' | 'variables'>,
): Pick<SendValues, 'variables' | 'body'> {
  const { text } = template.draft.body
  const known = (key: string): string | null => {
    if (/^(?:first|given)_?name$/i.test(key)) return name?.split(/\s/)[0] ?? null
    if (/^(?:(?:customer|contact|full|user|client)_?)?name$/i.test(key)) return name
    if (/^(?:phone|mobile|telephone)(?:_?number)?$/i.test(key)) return phone
    return greeting.test(text.slice(0, Math.max(0, text.indexOf(`{{${key}}}`)))) ? name : null
  }
  const filled = (isShared: boolean) =>
    Object.fromEntries(
      variables.flatMap(({ key, card, places }) => {
        const value = card === null && places.length > 1 === isShared ? known(key) : null
        return value === null ? [] : [[key, value] as const]
      }),
    )
  return { variables: filled(false), body: filled(true) }
}
