import { keepPreviousData } from '@tanstack/react-query'
import type { ItemStatus } from '../../../../../db/contract/batches.ts'
import { figuresPauseMs } from '../../api/live.tsx'
import { useLiveQuery, useWorkspaceQuery } from '../../app/workspaceData.ts'
import type { Tone } from '../../components/StatusBadge.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'

export const useCampaigns = (cursor: string) =>
  useLiveQuery(
    ['batches', 'messages'],
    ['campaigns', 'list', cursor],
    routes => routes.campaigns.get({ query: cursor === '' ? {} : { cursor } }),
    { placeholderData: keepPreviousData, pauseMs: figuresPauseMs },
  )
export type ListedCampaign = NonNullable<ReturnType<typeof useCampaigns>['data']>['campaigns'][number]

/** Its figures are read again while it is shown, at most each five seconds. */
export const useCampaign = (batchId: string) =>
  useLiveQuery(['batches', 'messages'], ['campaigns', 'one', batchId], routes => routes.campaigns({ batchId }).get(), {
    pauseMs: figuresPauseMs,
  })
export type Campaign = NonNullable<ReturnType<typeof useCampaign>['data']>

/** What the first of its people see: it does not change. */
export const usePreview = (batchId: string) =>
  useWorkspaceQuery(['campaigns', 'preview', batchId], routes => routes.campaigns({ batchId }).preview.get())

export const useItems = (batchId: string, status: ItemStatus | '', cursor: string) =>
  useLiveQuery(
    ['batches', 'messages'],
    ['campaigns', 'items', batchId, status, cursor],
    routes =>
      routes
        .campaigns({ batchId })
        .items.get({ query: { ...(status !== '' && { status }), ...(cursor !== '' && { cursor }) } }),
    { placeholderData: keepPreviousData, pauseMs: figuresPauseMs },
  )
export type Item = NonNullable<ReturnType<typeof useItems>['data']>['items'][number]

const tones: Readonly<Record<Campaign['state'], Tone>> = {
  draft: 'quiet',
  scheduled: 'busy',
  running: 'good',
  paused: 'warning',
  done: 'good',
  cancelled: 'quiet',
}

/** How far it is, for a badge; of one that went to nobody, that. */
export const stateOf = ({ state, messages }: Pick<Campaign, 'state' | 'messages'>): { tone: Tone; children: string } =>
  state === 'done' && messages === 0
    ? { tone: 'quiet', children: words.nobody }
    : { tone: tones[state], children: words.states[state] }
