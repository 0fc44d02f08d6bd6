import { type RefObject, useEffect, useRef } from 'react'
import { texts } from '../texts/texts.ts'

/** The page that the browser loads itself keeps the browser's own focus. */
let isFirstPage = true

/** The user may open a dialog before the page is loaded: the heading must not take the focus from it. */
const isDialogOpen = () => document.querySelector('[role="dialog"]') !== null

/**
 * Names the browser's tab.
 * @param takesFocus false: something else on the page keeps it
 * @returns a ref for the page's heading, which gets the focus when the page is opened
 */
export function useDocumentTitle(title: string, takesFocus = true): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.title
    document.title = texts.shell.titleOf(title)
    // A part of a page that names the tab gives it back.
    return () => {
      document.title = before
    }
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useEffect(() => {
    if (isFirstPage) isFirstPage = false
    else if (takesFocus && !isDialogOpen()) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
