import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Subject } from '../../../reading/announcements.ts'
import { useLiveEvents } from './live.tsx'
import { paced } from './paced.ts'

/** A busy gateway reports changes four times a second; nobody reads that fast. */
const pauseMs = 1_000

/** Reads queries again when something of these subjects has changed: at most once a second, and one reading at a time. */
export function useLiveQueries(subjects: readonly Subject[], queryKey: QueryKey): void {
  const queries = useQueryClient()
  const [pace] = useState(() => paced(pauseMs))
  useEffect(() => pace.end, [pace])
  useLiveEvents(event => {
    if (event.event === 'reset' || concerns(event.data, subjects))
      pace.ask(() => queries.invalidateQueries({ queryKey }))
  })
}

function concerns(data: string, subjects: readonly Subject[]): boolean {
  const { subjects: changed } = JSON.parse(data) as { subjects: readonly Subject[] }
  return changed.some(subject => subjects.includes(subject))
}
