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
