import { keepPreviousData } from '@tanstack/react-query'
import { figuresPauseMs } from '../../api/live.tsx'
import { useLiveQuery } from '../../app/workspaceData.ts'

export const useOverview = (days: string) =>
  useLiveQuery(
    ['messages', 'templates', 'health'],
    ['overview', days],
    routes => routes.overview.get({ query: { days: Number(days) } }),
    { placeholderData: keepPreviousData, pauseMs: figuresPauseMs },
  )
export type Overview = NonNullable<ReturnType<typeof useOverview>['data']>

/** @returns the messages from the first of some days on; the days that were counted are those of UTC */
export const sinceDays = (days: Overview['days']) => ({ since: new Date(days[0]?.day ?? 0).toISOString() })
