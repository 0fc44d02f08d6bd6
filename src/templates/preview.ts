import { field, list, text } from '../base/json.ts'
import type { TemplateButton, TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import { kindOf, slotOf, textOf } from './compareTexts.ts'
import { exampleCards, messageExamples } from './exampleSend.ts'
import { type FilledParts, type PlaceExamples, readExamples } from './examples.ts'
import { fillText } from './markers.ts'
import { parseTemplate } from './shape.ts'

/** The message as its reader will see it, filled with the template's examples: plain text, for a terminal. */
export function previewTemplate(template: TemplateRecord): string {
  const shape = parseTemplate(template)
  const lines = componentLines(template.components ?? [], messageExamples(shape, template))
  const cards = exampleCards(template)
  shape.cards.forEach((card, index) => {
    const components = cards[index]?.components ?? []
    lines.push(`--- card ${index} ---`, ...componentLines(components, readExamples(card, components, 'text')))
  })
  return lines.join('\n')
}

/**
 * The message as its reader will see it, filled with what is sent; a variable that nothing fills stays as it is.
 * @param sent the components of a send
 */
export function readText(template: TemplateRecord, sent: readonly unknown[]): string {
  const shape = parseTemplate(template)
  const lines = componentLines(template.components ?? [], sentTexts(shape, sent))
  const cards = exampleCards(template)
  const sentCards = list(field(find(sent, 'carousel'), 'cards'))
  shape.cards.forEach((card, index) => {
    const own = list(
      field(
        sentCards.find(given => field(given, 'card_index') === index),
        'components',
      ),
    )
    lines.push(`--- card ${index} ---`, ...componentLines(cards[index]?.components ?? [], sentTexts(card, own)))
  })
  return lines.join('\n')
}

const find = (sent: readonly unknown[], type: string) => sent.find(component => kindOf(component) === type)

/** What is sent for each place of a message or of a card. */
function sentTexts({ header, body, buttons }: FilledParts, sent: readonly unknown[]): PlaceExamples {
  const parametersOf = (component: unknown) => list(field(component, 'parameters'))
  const firstOf = (component: unknown) => parametersOf(component)[0]
  const buttonAt = (index: string) =>
    firstOf(sent.find(component => kindOf(component) === 'button' && String(field(component, 'index')) === index))
  const coupon = buttons.find(({ kind }) => kind === 'copyCode')
  return {
    header: header.kind === 'text' ? (textOf(firstOf(find(sent, 'header'))) ?? '') : '',
    headerLink: '',
    body: new Map(
      parametersOf(find(sent, 'body')).flatMap((parameter, at) => {
        const slot = slotOf(parameter, at, body.slots)
        const value = textOf(parameter)
        return slot && value !== null ? [[slot.key, value] as const] : []
      }),
    ),
    urls: new Map(buttons.flatMap(({ index }) => textsAt(index, textOf(buttonAt(index))))),
    coupon: (coupon && text(field(buttonAt(coupon.index), 'coupon_code'))) ?? '',
  }
}

const textsAt = (index: string, value: string | null): [index: string, value: string][] =>
  value === null ? [] : [[index, value]]

function componentLines(components: readonly TemplateComponent[], examples: PlaceExamples): string[] {
  return components.flatMap(component => {
    const { text } = component
    switch (component.type.toUpperCase()) {
      case 'HEADER':
        return text === undefined
          ? [`[${component.format?.toLowerCase() ?? 'header'}]`]
          : [fillText(text, () => examples.header || undefined)]
      case 'BODY':
        return [text === undefined ? (examples.body.get('1') ?? '') : fillText(text, key => examples.body.get(key))]
      case 'FOOTER':
        return text === undefined ? expiryLine(component) : [text]
      case 'LIMITED_TIME_OFFER':
        return [component.limited_time_offer?.text ?? '[limited-time offer]']
      case 'BUTTONS':
        return (component.buttons ?? []).map((button, index) => buttonLine(button, String(index), examples))
      default:
        return []
    }
  })
}

function expiryLine(component: TemplateComponent): string[] {
  const minutes = component.code_expiration_minutes
  return minutes === undefined ? [] : [`This code expires in ${minutes} minutes.`]
}

function buttonLine(button: TemplateButton, index: string, { urls, body, coupon }: PlaceExamples): string {
  const label = button.text ?? button.type.toLowerCase()
  const code = button.type.toUpperCase() === 'COPY_CODE' ? coupon : undefined
  // An authentication template's button takes the code of the body.
  const target =
    button.url === undefined
      ? (button.phone_number ?? code)
      : fillText(button.url, key => urls.get(index) ?? body.get(key))
  return target === undefined ? `( ${label} )` : `( ${label}: ${target} )`
}
