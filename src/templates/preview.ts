import type { TemplateButton, TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import { exampleCards, messageExamples } from './exampleSend.ts'
import { type PlaceExamples, readExamples } from './examples.ts'
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
