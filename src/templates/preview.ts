import type { TemplateButton, TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import { exampleValues } from './examples.ts'
import { fillText } from './markers.ts'
import { type TextMap, valueIn } from './values.ts'

/** A body for `POST /messages/send`, ready to be copied. */
export interface ExampleSend {
  readonly type: 'template'
  readonly phone: string
  readonly templateName: string
  readonly templateLanguage: string
  readonly templateVariables: TextMap
}

/** A number set aside for fiction (North American 555-0100 to 555-0199): copied unchanged, it reaches nobody. */
const examplePhone = '+12025550123'

/** The send body that fills this template with its own examples; only the phone number has to be replaced. */
export function exampleSend(template: TemplateRecord): ExampleSend {
  return {
    type: 'template',
    phone: examplePhone,
    templateName: template.name,
    templateLanguage: template.language,
    // Present even when empty: a template send needs one of the filling fields (docs/partner-api.md#templates).
    templateVariables: exampleValues(template),
  }
}

/** The message as its reader will see it, filled with the template's examples: plain text, for a terminal. */
export function previewTemplate(template: TemplateRecord): string {
  const values = exampleValues(template)
  const components = template.components ?? []
  const lines = componentLines(components, '', values)
  const cards = components.find(isType('CAROUSEL'))?.cards ?? []
  cards.forEach((card, index) => {
    lines.push(`--- card ${index} ---`, ...componentLines(card.components ?? [], `c${index}_`, values))
  })
  return lines.join('\n')
}

function componentLines(components: readonly TemplateComponent[], prefix: string, values: TextMap): string[] {
  const fill = (text: string) => fillText(text, key => valueIn(values, prefix + key))
  return components.flatMap(component => {
    switch (component.type.toUpperCase()) {
      case 'HEADER':
        return component.text === undefined
          ? [`[${component.format?.toLowerCase() ?? 'header'}]`]
          : [fill(component.text)]
      case 'BODY':
        return [component.text === undefined ? (valueIn(values, `${prefix}1`) ?? '') : fill(component.text)]
      case 'FOOTER':
        return component.text === undefined ? expiryLine(component) : [component.text]
      case 'LIMITED_TIME_OFFER':
        return [component.limited_time_offer?.text ?? '[limited-time offer]']
      case 'BUTTONS':
        return (component.buttons ?? []).map(button => buttonLine(button, fill, values))
      default:
        return []
    }
  })
}

function expiryLine(component: TemplateComponent): string[] {
  const minutes = component.code_expiration_minutes
  return minutes === undefined ? [] : [`This code expires in ${minutes} minutes.`]
}

function buttonLine(button: TemplateButton, fill: (text: string) => string, values: TextMap): string {
  const label = button.text ?? button.type.toLowerCase()
  const coupon = button.type.toUpperCase() === 'COPY_CODE' ? valueIn(values, 'copy_code') : undefined
  const target = button.url === undefined ? (button.phone_number ?? coupon) : fill(button.url)
  return target === undefined ? `( ${label} )` : `( ${label}: ${target} )`
}

const isType = (type: string) => (component: TemplateComponent) => component.type.toUpperCase() === type
