/** One limit of an interactive payload, for readers of the API document. */
export interface InteractiveLimit {
  /** Null: every kind below. */
  readonly kind: 'button' | 'list' | 'cta_url' | 'flow' | null
  /** The field in the payload; `[]` stands for each element. */
  readonly field: string
  readonly most: number
  readonly unit: 'characters' | 'entries'
}

/** What `checkInteractive` keeps, as a table; a test holds each row against it. */
export const interactiveLimits: readonly InteractiveLimit[] = [
  { kind: null, field: 'header.text', most: 60, unit: 'characters' },
  { kind: null, field: 'footer.text', most: 60, unit: 'characters' },
  { kind: 'button', field: 'body.text', most: 1024, unit: 'characters' },
  { kind: 'button', field: 'action.buttons', most: 3, unit: 'entries' },
  { kind: 'button', field: 'action.buttons[].reply.id', most: 256, unit: 'characters' },
  { kind: 'button', field: 'action.buttons[].reply.title', most: 20, unit: 'characters' },
  { kind: 'list', field: 'body.text', most: 4096, unit: 'characters' },
  { kind: 'list', field: 'action.button', most: 20, unit: 'characters' },
  { kind: 'list', field: 'action.sections', most: 10, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].title', most: 24, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows', most: 10, unit: 'entries' },
  { kind: 'list', field: 'action.sections[].rows[].id', most: 200, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].title', most: 24, unit: 'characters' },
  { kind: 'list', field: 'action.sections[].rows[].description', most: 72, unit: 'characters' },
  { kind: 'cta_url', field: 'body.text', most: 1024, unit: 'characters' },
  { kind: 'cta_url', field: 'action.parameters.display_text', most: 20, unit: 'characters' },
  { kind: 'flow', field: 'body.text', most: 1024, unit: 'characters' },
  { kind: 'flow', field: 'action.parameters.flow_cta', most: 30, unit: 'characters' },
]
