import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Subject } from '../../../live/announcements.ts'
import { useLiveEvents } from './live.tsx'

/** A busy gateway reports changes four times a second; nobody reads that fast. */
const pauseMs = 1_000

/** Reads queries again, at most once a second, when something of these subjects has changed. */
export function useLiveQueries(subjects: readonly Subject[], queryKey: QueryKey): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveEvents(event => {
    if (event.event !== 'reset' && !concerns(event.data, subjects)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey })
    }, pauseMs)
  })
}

function concerns(data: string, subjects: readonly Subject[]): boolean {
  const { subjects: changed } = JSON.parse(data) as { subjects: readonly Subject[] }
  return changed.some(subject => subjects.includes(subject))
}
