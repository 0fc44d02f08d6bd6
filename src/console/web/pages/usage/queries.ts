import { minuteMs } from '../../../../base/durations.ts'
import { figuresPauseMs } from '../../api/live.tsx'
import { useLiveQuery, useWorkspaceQuery } from '../../app/workspaceData.ts'

/** @param month `2026-01`, or empty for this one */
export const useUsage = (month = '') =>
  useLiveQuery(
    ['messages'],
    ['usage', 'days', month],
    routes => routes.usage.get({ query: isMonth(month) ? { month } : {} }),
    { pauseMs: figuresPauseMs },
  )
/** Whether it is one, in an address that anybody may have typed. */
const isMonth = (text: string) => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)
export type Usage = NonNullable<ReturnType<typeof useUsage>['data']>

/** So that a count is seen soon by who waits for it. */
const recountMs = minuteMs

/** `2026-01`, UTC. */
export const monthOfNow = () => new Date().toISOString().slice(0, 7)

/** What the messages of a month were sent with, counted some minutes after they were accepted. */
export const useUsageParts = (month: string = monthOfNow()) =>
  useWorkspaceQuery(['usage', month], routes => routes.usage({ month }).get(), { refetchInterval: recountMs })

export type Prices = NonNullable<ReturnType<typeof usePrices>['data']>

/** What the platform charges for of the messages of a month: known as deliveries are reported. */
export const usePrices = (month: string) =>
  useWorkspaceQuery(['prices', month], routes => routes.usage({ month }).prices.get(), {
    refetchInterval: recountMs,
  })
