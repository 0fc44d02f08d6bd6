import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import { table, withIsoTimes } from './output.ts'

export const updateView = ({ kind, at, detail }: UpstreamUpdate) => withIsoTimes({ kind, at, detail })

/** The upstream's updates, as text; nothing when there are none. */
export const updateTexts = (updates: readonly UpstreamUpdate[]): string[] =>
  updates.length === 0
    ? []
    : [table({ 'update at (UTC)': 'at', what: 'kind', details: ({ detail }) => JSON.stringify(detail) }, updates)]
