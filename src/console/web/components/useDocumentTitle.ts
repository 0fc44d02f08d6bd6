import { type RefObject, useEffect, useRef } from 'react'
import icon from '../icon.svg'
import iconUnread from '../icon-unread.svg'
import { texts } from '../texts/texts.ts'

/** The page that the browser loads itself keeps the browser's own focus. */
let isFirstPage = true

/** The user may open a dialog before the page is loaded: the heading must not take the focus from it. */
const isDialogOpen = () => document.querySelector('[role="dialog"]') !== null

let named = document.title
let mark = ''

function nameTab(title: string): void {
  named = title
  document.title = mark + named
}

/** Shows on the browser's tab that something waits. @param unread how much; null: nothing */
export function markTab(unread: string | null): void {
  mark = unread === null ? '' : `(${unread}) `
  nameTab(named)
  document.querySelector('link[rel=icon]')?.setAttribute('href', unread === null ? icon : iconUnread)
}

/**
 * Names the browser's tab.
 * @param takesFocus false: something else on the page keeps it
 * @returns a ref for the page's heading, which gets the focus when the page is opened
 */
export function useDocumentTitle(title: string, takesFocus = true): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = named
    nameTab(texts.shell.titleOf(title))
    // A part of a page that names the tab gives it back.
    return () => nameTab(before)
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useEffect(() => {
    if (isFirstPage) isFirstPage = false
    else if (takesFocus && !isDialogOpen()) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
