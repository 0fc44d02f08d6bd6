import type { JsonObject } from '../base/json.ts'
import {
  listBodyCharsMax,
  listButtonCharsMax,
  listSectionsMax,
  rowDescriptionCharsMax,
  rowIdCharsMax,
  rowsMax,
  rowTitleCharsMax,
  sectionTitleCharsMax,
} from '../base/upstreamLimits.ts'
import { readFrame, root } from './parts.ts'
import type { Reader } from './reader.ts'

/**
 * A menu of up to ten rows in titled sections; a section that stands alone needs no title. Row ids are unique in the
 * whole list; the header is text only.
 */
export function readListMessage(payload: JsonObject, reader: Reader): void {
  readFrame(payload, listBodyCharsMax, 'text', reader)
  const path = `${root}/action`
  const action = reader.object(payload.action, path)
  if (!action) return
  reader.text(action.button, `${path}/button`, listButtonCharsMax)
  const ids = new Map<string, string>()
  let rowCount = 0
  const sections = reader.list(action.sections, `${path}/sections`, 1, listSectionsMax)
  sections.forEach((value, at) => {
    rowCount += readSection(value, `${path}/sections/${at}`, { ids, isAlone: sections.length === 1, reader })
  })
  if (rowCount > rowsMax) reader.note(`${path}/sections`, `must have at most ${rowsMax} rows in all`)
}

interface SectionPlace {
  readonly ids: Map<string, string>
  readonly isAlone: boolean
  readonly reader: Reader
}

/** @returns the number of rows */
function readSection(value: unknown, path: string, { ids, isAlone, reader }: SectionPlace): number {
  const section = reader.object(value, path)
  if (!section) return 0
  if (!isAlone || section.title !== undefined) reader.text(section.title, `${path}/title`, sectionTitleCharsMax)
  const rows = reader.list(section.rows, `${path}/rows`, 1, rowsMax)
  rows.forEach((row, at) => {
    readRow(row, `${path}/rows/${at}`, ids, reader)
  })
  return rows.length
}

function readRow(value: unknown, path: string, ids: Map<string, string>, reader: Reader): void {
  const row = reader.object(value, path)
  if (!row) return
  reader.unique(reader.text(row.id, `${path}/id`, rowIdCharsMax), `${path}/id`, ids)
  reader.text(row.title, `${path}/title`, rowTitleCharsMax)
  // An empty description is shown as none.
  if (row.description !== '') reader.optionalText(row.description, `${path}/description`, rowDescriptionCharsMax)
}
