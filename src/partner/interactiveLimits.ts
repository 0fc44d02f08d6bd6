/** One limit of an interactive payload, for readers of the API document. */
export interface InteractiveLimit {
  /** Null: every kind below. */
  readonly kind: 'button' | 'list' | 'cta_url' | 'flow' | null
  /** The field in the payload; `[]` stands for each element. */
  readonly field: string
  readonly max: number
  readonly unit: 'characters' | 'entries'
}

/** The limits of `checkInteractive` as a table. A test checks each row. */
export const interactiveLimits: readonly InteractiveLimit[] = [
  { kind: null, field: 'header.text', max: 60, unit: 'characters' },
  { kind: null, field: 'footer.text', max: 60, unit: 'characters' },
  { kind: 'button', field: 'body.text', max: 1024, unit: 'characters' },
  { kind: 'button', field: 'action.buttons', max: 3, unit: 'entries' },
  { kind: 'button', field: 'action.buttons[].reply.id', max: 256, unit: 'characters' },
  { kind: 'button', field: 'action.buttons[].reply.title', max: 20, unit: 'characters' },
  { kind: 'list', field: 'body.text', max: 4096, unit: 'characters' },
  { kind: 'list', field: 'action.button', max: 20, unit: 'characters' },
  { kind: 'list', field: 'action.sections', max: 10, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].title', max: 24, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows', max: 10, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].rows[].id', max: 200, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].title', max: 24, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].description', max: 72, unit: 'characters' },
  { kind: 'cta_url', field: 'body.text', max: 1024, unit: 'characters' },
  { kind: 'cta_url', field: 'action.parameters.display_text', max: 20, unit: 'characters' },
  { kind: 'flow', field: 'body.text', max: 1024, unit: 'characters' },
  { kind: 'flow', field: 'action.parameters.flow_cta', max: 30, unit: 'characters' },
]
