import { keepPreviousData } from '@tanstack/react-query'
import { useLiveQuery } from '../../app/workspaceData.ts'

export const useOverview = (days: string) =>
  useLiveQuery(
    ['messages', 'templates', 'health'],
    ['overview', days],
    routes => routes.overview.get({ query: { days: Number(days) } }),
    { placeholderData: keepPreviousData },
  )
export type Overview = NonNullable<ReturnType<typeof useOverview>['data']>

const dayMs = 86_400_000

/** The days that were counted are those of UTC. @returns a part of the address of the messages */
export function dayQuery(day: string): string {
  const since = new Date(`${day}T00:00:00Z`)
  return `&since=${since.toISOString()}&until=${new Date(since.getTime() + dayMs).toISOString()}`
}

export const sinceOf = (days: Overview['days']) => (days[0] ? `&since=${days[0].day}T00:00:00Z` : '')
