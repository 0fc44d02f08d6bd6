import type { TemplateButton, TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import { readStructure } from './structure.ts'
import { type TextMap, valueProblem } from './values.ts'
import { readVariables, type Variable } from './variables.ts'

/**
 * A value for every variable that a send of the template must fill: the example that came with the template where it
 * can be sent, else a stand-in. The values render, unless the template needs `templateComponents`.
 */
export function exampleValues(template: TemplateRecord): TextMap {
  const found = findExamples(template)
  return Object.fromEntries(
    readVariables(readStructure(template))
      .filter(variable => variable.requiredBy !== null)
      .map(variable => [variable.key, sendable(variable, found.get(variable.key))]),
  )
}

function sendable(variable: Variable, example: string | undefined): string {
  return example !== undefined && valueProblem(variable.kind, example) === undefined ? example : standIns[variable.kind]
}

const standIns = {
  text: 'example',
  code: '123456',
  coupon: 'SAVE20',
  product: 'SKU',
  link: 'https://example.com/header',
  mediaId: '1',
} as const

/** Examples by the key of `templateVariables`. Where a body and a button share a key, the body's example is taken. */
function findExamples(template: TemplateRecord): Map<string, string> {
  const found = new Map<string, string>()
  const components = template.components ?? []
  noteComponents(components, '', found)
  for (const component of components)
    component.cards?.forEach((card, index) => {
      noteComponents(card.components ?? [], `c${index}_`, found)
    })
  return found
}

function noteComponents(components: readonly TemplateComponent[], prefix: string, found: Map<string, string>): void {
  const note = (key: string, example: unknown) => {
    if (typeof example === 'string' && !found.has(prefix + key)) found.set(prefix + key, example)
  }
  for (const type of ['BODY', 'HEADER', 'BUTTONS']) {
    const component = components.find(candidate => candidate.type.toUpperCase() === type)
    const example = component?.example
    if (type === 'BODY') {
      bodyTexts(example?.body_text).forEach((text, at) => {
        note(String(at + 1), text)
      })
      for (const { param_name, example: text } of example?.body_text_named_params ?? []) note(param_name, text)
    }
    if (type === 'HEADER') {
      note('1', example?.header_text?.[0])
      for (const { param_name, example: text } of example?.header_text_named_params ?? []) note(param_name, text)
      // docs/upstream.md#templates: a listing holds an address here, a creation request a handle that cannot be sent.
      note('header_link', example?.header_handle?.[0])
    }
    for (const button of component?.buttons ?? []) noteButton(button, note)
  }
}

/** One row of texts, however deep it is wrapped (docs/upstream.md#templates). */
function bodyTexts(bodyText: string | readonly (string | readonly string[])[] | undefined): readonly string[] {
  if (bodyText === undefined) return []
  if (typeof bodyText === 'string') return [bodyText]
  const [first] = bodyText
  return typeof first === 'object' ? first : bodyText.filter(text => typeof text === 'string')
}

function noteButton(button: TemplateButton, note: (key: string, example: unknown) => void): void {
  const example = typeof button.example === 'string' ? button.example : button.example?.[0]
  if (example === undefined) return
  if (button.type.toUpperCase() === 'COPY_CODE') note('copy_code', example)
  const marker = /^(.*?)\{\{\s*(\w+)\s*\}\}/.exec(button.url ?? '')
  if (!marker) return
  const [, fixed = '', key = ''] = marker
  // The example may be the whole address; a send takes only the suffix.
  note(key, example.startsWith(fixed) ? example.slice(fixed.length) : example)
}
