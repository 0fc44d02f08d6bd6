import { useWindowEvent } from '@mantine/hooks'
import { createContext, useContext, useEffect } from 'react'

/** Content that would be lost with the page: it is shown only once, and may not be saved yet. */
const losses = new Set<symbol>()

/** Whether leaving the page loses something. */
export const hasLosses = (): boolean => losses.size > 0

/** Reports to the surrounding dialog that closing it loses something. */
export const DialogLoss = createContext<(isAtRisk: boolean) => void>(() => {})

/** While it is at risk, the dialog, the page and the browser's tab ask before they are closed. */
export function useLoss(isAtRisk = true): void {
  const tellDialog = useContext(DialogLoss)
  useUnloadQuestion(isAtRisk)
  useEffect(() => {
    if (!isAtRisk) return
    const loss = Symbol('loss')
    losses.add(loss)
    tellDialog(true)
    return () => {
      losses.delete(loss)
      tellDialog(false)
    }
  }, [isAtRisk, tellDialog])
}

/** The browser asks before the tab is closed or reloaded. */
export const useUnloadQuestion = (isAsked: boolean): void =>
  useWindowEvent('beforeunload', event => isAsked && event.preventDefault())
