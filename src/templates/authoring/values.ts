import type { TemplateDraft } from './draft.ts'
import { variablesIn } from './texts.ts'

type Texts = Readonly<Record<string, string>>

/** The values of a send, by key. Shared with the page. */
export interface SendValues {
  readonly variables: Texts
  /** The values of the main text, where they differ. */
  readonly body: Texts
  /** The values of card buttons' URLs where they differ, by `addressKey`. */
  readonly addresses: Texts
}
export const noSendValues: SendValues = { variables: {}, body: {}, addresses: {} }

/** Names a button of a card. */
export const addressKey = (card: number, button: number) => `${card}.${button}`

interface ExampleCard {
  readonly index: number
  readonly buttonValues?: readonly { readonly index: number; readonly parameters: { readonly text: string } }[]
}

/** The template's own examples, to begin with. @param fields of a send, as `exampleSend` has them */
export function exampleValuesOf(fields: object | null): SendValues {
  const { templateVariables, bodyParameters, carousel } = (fields ?? {}) as {
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
export const sharedAddresses = ({ cards }: TemplateDraft) =>
  cards.flatMap(({ body, buttons }, card) =>
    buttons.flatMap((button, index) => {
      const [variable] = button.kind === 'url' ? variablesIn(button.url) : []
      return variable !== undefined && body && variablesIn(body.text).includes(variable)
        ? [{ card, index, variable }]
        : []
    }),
  )

const given = (values: Texts) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** The fields of a send that fill the template: those that have values, and one of them in any case. */
export function sendFields(draft: TemplateDraft, { variables, body, addresses }: SendValues) {
  const [templateVariables, bodyParameters] = [given(variables), given(body)]
  const own = sharedAddresses(draft).flatMap(({ card, index }) => {
    const text = addresses[addressKey(card, index)]
    return text ? [{ card, index, text }] : []
  })
  const cards = draft.cards.map((_, card) => {
    const buttonValues = own
      .filter(value => value.card === card)
      .map(({ index, text }) => ({ index, sub_type: 'url', parameters: { type: 'text', text } }))
    return { index: card, ...(buttonValues.length > 0 && { buttonValues }) }
  })
  const others = {
    ...(Object.keys(bodyParameters).length > 0 && { bodyParameters }),
    ...(own.length > 0 && { carousel: { cards } }),
  }
  // A send names at least one of them, also of a template that has no values.
  const isNamed = Object.keys(templateVariables).length > 0 || Object.keys(others).length === 0
  return { ...(isNamed && { templateVariables }), ...others }
}
