import { footerCharsMax, headerCharsMax } from '../base/upstreamLimits.ts'
import type { Fields, Form } from '../forms/form.ts'
import { interactiveForms } from '../forms/interactive.ts'

/** The kinds whose limits are told. */
const limitedKinds = ['button', 'list', 'cta_url', 'flow', 'voice_call', 'product_list', 'carousel'] as const

/** One limit of an interactive payload, for readers of the API document. */
export interface InteractiveLimit {
  /** Null: every kind below that has it. */
  readonly kind: (typeof limitedKinds)[number] | null
  /** The field in the payload; `[]` stands for each element. */
  readonly field: string
  readonly max: number
  readonly unit: 'characters' | 'entries'
}

type Limit = Omit<InteractiveLimit, 'kind'>

const limitsOf = (fields: Fields, path: string): Limit[] =>
  Object.entries(fields).flatMap(([name, form]) => limitsAt(form, path === '' ? name : `${path}.${name}`))

function limitsAt(form: Form, field: string): Limit[] {
  switch (form.is) {
    case 'text':
      return form.charsMax === undefined ? [] : [{ field, max: form.charsMax, unit: 'characters' }]
    case 'list':
      return [{ field, max: form.max, unit: 'entries' }, ...limitsAt(form.of, `${field}[]`)]
    case 'object':
      return limitsOf(form.fields, field)
    case 'choice':
      return form.otherwise === undefined ? [] : limitsOf(form.of[form.otherwise] ?? {}, field)
    default:
      return []
  }
}

/** The limits of `checkInteractive` as a table. A test checks each row. */
export const interactiveLimits: readonly InteractiveLimit[] = [
  { kind: null, field: 'header.text', max: headerCharsMax, unit: 'characters' },
  { kind: null, field: 'footer.text', max: footerCharsMax, unit: 'characters' },
  ...limitedKinds.flatMap(kind => {
    const { footer: _, ...others } = interactiveForms[kind] ?? {}
    return limitsOf(others, '').map(limit => ({ kind, ...limit }))
  }),
]
