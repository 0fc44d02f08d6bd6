import type { Page } from 'playwright-core'

/**
 * Runs in the page. A text is as wide as its letters, or as the narrowest box that cuts it. What is cut behind an
 * ellipsis is not counted: its box has room for the words before it.
 */
const findSqueezed = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const holder = text.parentElement
    // A field shows its value, not the text that the document had for it.
    if (text.data.trim() === '' || holder.matches('textarea')) continue
    if (!holder.checkVisibility({ visibilityProperty: true })) continue
    const letters = document.createRange()
    letters.selectNodeContents(text)
    let width = letters.getBoundingClientRect().width
    for (let box = holder; box !== null; box = box.parentElement) {
      const cuts = ['hidden', 'clip'].includes(getComputedStyle(box).overflowX)
      if (cuts) width = Math.min(width, box.getBoundingClientRect().width)
    }
    if (width < 1) found.push(text.data.trim())
  }
  return found
})()`

/** @returns the visible texts that are narrower than one pixel: nobody can read them */
export const squeezedTexts = (page: Page) => page.evaluate<string[]>(findSqueezed)
