import { useWindowEvent } from '@mantine/hooks'
import { createContext, useContext, useEffect } from 'react'
import { texts } from '../texts/texts.ts'

/** Content that would be lost with the page, and what is asked before. */
const losses = new Map<symbol, string>()

/** What is asked before the page is left; null: nothing is lost. */
export const lossQuestion = (): string | null => [...losses.values()].at(-1) ?? null

/** Reports to the surrounding dialog that closing it loses something. */
export const DialogLoss = createContext<(isAtRisk: boolean) => void>(() => {})

/**
 * While it is at risk, the dialog, the page and the browser's tab ask before they are closed.
 * @param question of the page; without one it is of what is shown only once, and may not be saved yet
 */
export function useLoss(isAtRisk = true, question: string = texts.common.loseShownOnce): void {
  const tellDialog = useContext(DialogLoss)
  useUnloadQuestion(isAtRisk)
  useEffect(() => {
    if (!isAtRisk) return
    const loss = Symbol('loss')
    losses.set(loss, question)
    tellDialog(true)
    return () => {
      losses.delete(loss)
      tellDialog(false)
    }
  }, [isAtRisk, question, tellDialog])
}

/** The browser asks before the tab is closed or reloaded. */
export const useUnloadQuestion = (isAsked: boolean): void =>
  useWindowEvent('beforeunload', event => isAsked && event.preventDefault())
