import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { addressKey, type PreviewValues } from './PhonePreview.tsx'
import type { ShownTemplate, TemplateDetail } from './queries.ts'

type Texts = Readonly<Record<string, string>>

interface ExampleCard {
  readonly index: number
  readonly buttonValues?: readonly { readonly index: number; readonly parameters: { readonly text: string } }[]
}

/** The template's own examples, to begin with. */
export function exampleValuesOf({ exampleValues }: TemplateDetail): PreviewValues {
  const { templateVariables, bodyParameters, carousel } = (exampleValues ?? {}) as {
    templateVariables?: Texts
    bodyParameters?: Texts
    carousel?: { readonly cards: readonly ExampleCard[] }
  }
  const addresses = (carousel?.cards ?? []).flatMap(({ index: card, buttonValues = [] }) =>
    buttonValues.map(({ index, parameters }) => [addressKey(card, index), parameters.text] as const),
  )
  return {
    variables: templateVariables ?? {},
    body: bodyParameters ?? {},
    addresses: Object.fromEntries(addresses),
  }
}

/** The address buttons of cards whose variable stands in the card's text as well: one key fills both. */
export const sharedAddresses = ({ draft }: ShownTemplate) =>
  draft.cards.flatMap(({ body, buttons }, card) =>
    buttons.flatMap((button, index) => {
      const [variable] = button.kind === 'url' ? variablesIn(button.url) : []
      return variable !== undefined && body && variablesIn(body.text).includes(variable)
        ? [{ card, index, variable }]
        : []
    }),
  )

const given = (values: Texts) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** The fields of a send that fill the template, without empty ones. */
export function sendFields(template: ShownTemplate, { variables, body, addresses }: PreviewValues) {
  const bodyParameters = given(body)
  const own = sharedAddresses(template).flatMap(({ card, index }) => {
    const text = addresses[addressKey(card, index)]
    return text ? [{ card, index, text }] : []
  })
  const cards = template.draft.cards.map((_, card) => {
    const buttonValues = own
      .filter(value => value.card === card)
      .map(({ index, text }) => ({ index, sub_type: 'url', parameters: { type: 'text', text } }))
    return { index: card, ...(buttonValues.length > 0 && { buttonValues }) }
  })
  return {
    templateVariables: given(variables),
    ...(Object.keys(bodyParameters).length > 0 && { bodyParameters }),
    ...(own.length > 0 && { carousel: { cards } }),
  }
}

/** In a single-quoted text of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A command that sends it, ready to be pasted; key and secret come from the environment. */
export function curlOf(options: {
  readonly origin: string
  readonly phone: string
  readonly phoneNumberId: string
  readonly name: string
  readonly language: string
  readonly fields: object
}): string {
  const { origin, phone, phoneNumberId, name, language, fields } = options
  const body = {
    type: 'template',
    phone,
    phoneNumberId,
    templateName: name,
    templateLanguage: language,
    ...fields,
  }
  return [
    `curl ${origin}/api/v1/public/messages/send`,
    `  -H "apiKey: $WAYPOST_API_KEY" -H "apiSecret: $WAYPOST_API_SECRET"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n')
}
