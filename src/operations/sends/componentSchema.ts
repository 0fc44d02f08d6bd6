import { Type } from '../../base/schema.ts'
import { valueCharsMax } from '../../templates/limits.ts'

/** Fields for reading only: what they may hold is checked by `checkForwardedComponents`, the rest by the upstream. */
const forwarded = (description: string, ...examples: unknown[]) =>
  Type.Optional(Type.Unknown({ description, ...(examples.length > 0 && { examples }) }))

/** One element of `templateComponents`. */
export const componentSchema = Type.Object(
  {
    type: forwarded('String, required: `header`, `body`, `button` or `carousel`.', 'body'),
    sub_type: forwarded('String, for buttons: `url`, `copy_code`, `quick_reply`, …', 'url'),
    index: forwarded("String, for buttons: the button's place in the template, 0-based.", '0'),
    parameters: forwarded(
      'Array of objects like `{ "type": "text", "text": "…" }`; `text` of body and buttons has at most ' +
        `${valueCharsMax} characters. For a URL button it is only the dynamic suffix, preferably percent-encoded.`,
      [{ type: 'text', text: 'Ada' }],
    ),
    cards: forwarded(
      'Array, for a carousel. Every card has `card_index` (integer from 0, unique; without it the upstream platform ' +
        'rejects the send) and `components` in this same format.',
      [{ card_index: 0, components: [{ type: 'body', parameters: [{ type: 'text', text: 'Tulip' }] }] }],
    ),
  },
  {
    additionalProperties: true,
    title: 'TemplateComponent',
    description:
      "One element of the upstream platform's own component format; further fields are forwarded as they are.",
  },
)
