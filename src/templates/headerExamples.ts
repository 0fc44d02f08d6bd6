import type { TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import { mediaKinds } from './authoring/kinds.ts'
import { exampleCards } from './exampleSend.ts'

/** The example file of a media header, where the platform has it for everybody. */
export interface HeaderExample {
  readonly kind: (typeof mediaKinds)[number]
  readonly link: string
}

/** @returns null: it is no header with a file, or there is only the handle that it was created with */
export function headerExample(header: TemplateComponent | undefined): HeaderExample | null {
  const kind = mediaKinds.find(known => known === header?.format?.toLowerCase())
  const link = header?.example?.header_handle?.[0] ?? ''
  return kind && /^https?:\/\//.test(link) ? { kind, link } : null
}

/** @returns that of the message, then that of each card */
export const headerExamples = (template: TemplateRecord): (HeaderExample | null)[] =>
  [template, ...exampleCards(template)].map(({ components }) =>
    headerExample(components?.find(({ type }) => type.toUpperCase() === 'HEADER')),
  )
