import {
  bodyCharsMax,
  cardBodyCharsMax,
  cardsMax,
  flowButtonCharsMax,
  footerCharsMax,
  headerCharsMax,
  linkTextCharsMax,
  listBodyCharsMax,
  listButtonCharsMax,
  listSectionsMax,
  productSectionsMax,
  productsMax,
  replyButtonsMax,
  replyIdCharsMax,
  replyTitleCharsMax,
  rowDescriptionCharsMax,
  rowIdCharsMax,
  rowsMax,
  rowTitleCharsMax,
  sectionTitleCharsMax,
} from '../base/upstreamLimits.ts'

/** The kinds whose limits are told. */
type LimitedKind = 'button' | 'list' | 'cta_url' | 'flow' | 'voice_call' | 'product_list' | 'carousel'

/** One limit of an interactive payload, for readers of the API document. */
export interface InteractiveLimit {
  /** Null: every kind below that has it. */
  readonly kind: LimitedKind | null
  /** The field in the payload; `[]` stands for each element. */
  readonly field: string
  readonly max: number
  readonly unit: 'characters' | 'entries'
}

/** The limits of `checkInteractive` as a table. A test checks each row. */
export const interactiveLimits: readonly InteractiveLimit[] = [
  { kind: null, field: 'header.text', max: headerCharsMax, unit: 'characters' },
  { kind: null, field: 'footer.text', max: footerCharsMax, unit: 'characters' },
  { kind: 'button', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'button', field: 'action.buttons', max: replyButtonsMax, unit: 'entries' },
  { kind: 'button', field: 'action.buttons[].reply.id', max: replyIdCharsMax, unit: 'characters' },
  { kind: 'button', field: 'action.buttons[].reply.title', max: replyTitleCharsMax, unit: 'characters' },
  { kind: 'list', field: 'body.text', max: listBodyCharsMax, unit: 'characters' },
  { kind: 'list', field: 'action.button', max: listButtonCharsMax, unit: 'characters' },
  { kind: 'list', field: 'action.sections', max: listSectionsMax, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].title', max: sectionTitleCharsMax, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows', max: rowsMax, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].rows[].id', max: rowIdCharsMax, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].title', max: rowTitleCharsMax, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].description', max: rowDescriptionCharsMax, unit: 'characters' },
  { kind: 'cta_url', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'cta_url', field: 'action.parameters.display_text', max: linkTextCharsMax, unit: 'characters' },
  { kind: 'flow', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'flow', field: 'action.parameters.flow_cta', max: flowButtonCharsMax, unit: 'characters' },
  { kind: 'voice_call', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'voice_call', field: 'action.parameters.display_text', max: linkTextCharsMax, unit: 'characters' },
  { kind: 'product_list', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'product_list', field: 'action.sections', max: productSectionsMax, unit: 'entries' },
  { kind: 'product_list', field: 'action.sections[].title', max: sectionTitleCharsMax, unit: 'characters' },
  { kind: 'product_list', field: 'action.sections[].product_items', max: productsMax, unit: 'entries' },
  { kind: 'carousel', field: 'body.text', max: bodyCharsMax, unit: 'characters' },
  { kind: 'carousel', field: 'action.cards', max: cardsMax, unit: 'entries' },
  { kind: 'carousel', field: 'action.cards[].body.text', max: cardBodyCharsMax, unit: 'characters' },
]
