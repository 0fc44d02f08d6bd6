import type { UpstreamUpdate } from '../../db/updates.ts'
import { moment, table } from './output.ts'

export const updateView = ({ kind, at, detail }: UpstreamUpdate) => ({ kind, at: new Date(at).toISOString(), detail })

/** The upstream's updates, as text; nothing when there are none. */
export const updateTexts = (updates: readonly UpstreamUpdate[]): string[] =>
  updates.length === 0
    ? []
    : [
        table(
          ['update at (UTC)', 'what', 'details'],
          updates.map(({ at, kind, detail }) => [moment(at), kind, JSON.stringify(detail)]),
          '',
        ),
      ]
