import type { Page } from 'playwright-core'

/**
 * Runs in the page. What is meant for the eye alone stands in its way nowhere: what screen readers hear is a pixel
 * wide, and what scrolls to the side by itself (a block of code, a chart) shows that it does.
 */
const findCut = `(lettersMin => {
  const found = new Set()
  const end = document.documentElement.clientWidth
  const styleOf = element => getComputedStyle(element)
  const isShown = element => element.checkVisibility({ visibilityProperty: true })
  const called = element => (element.ariaLabel ?? element.innerText ?? element.value ?? '').trim().slice(0, 40) || element.tagName
  const scrolls = element => ['auto', 'scroll'].includes(styleOf(element).overflowX)
  /** Where what the element shows ends, and whether its text says by an ellipsis that it goes on. */
  const roomOf = element => {
    let room = end
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      const { overflowX, textOverflow, clipPath } = styleOf(box)
      if (overflowX === 'visible') continue
      if (scrolls(box) || textOverflow === 'ellipsis' || clipPath !== 'none') return Infinity
      room = Math.min(room, box.getBoundingClientRect().right)
    }
    return room
  }
  for (const element of document.querySelectorAll('button, a, input, select, textarea, label, td, th, img, h1, h2, p')) {
    if (!isShown(element) || styleOf(element).position === 'fixed') continue
    const { left, right, width } = element.getBoundingClientRect()
    if (width > 1 && left < end && right > roomOf(element) + 1) found.add('cut to the side: ' + called(element))
  }
  for (const table of document.querySelectorAll('table')) {
    if (!isShown(table)) continue
    const over = table.getBoundingClientRect().width - table.parentElement.clientWidth
    if (over > 1) found.add(Math.round(over) + ' pixels wider than its place: ' + (table.ariaLabel ?? 'a table'))
  }
  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('select, input:placeholder-shown')) {
    // Of a navigation that has signs alone, the choice of the workspace is one.
    if (!isShown(field) || field.closest('nav')) continue
    const { font, paddingLeft, paddingRight } = styleOf(field)
    const said = field.matches('select') ? field.selectedOptions[0]?.text ?? '' : field.placeholder
    pen.font = font
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    if (pen.measureText(said).width > room + 1) found.add('longer than its field: ' + said)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (!isShown(text.parentElement) || text.parentElement.closest('textarea, pre, select')) continue
    // The rest of an address, which may break anywhere.
    const before = text.previousSibling ?? (getComputedStyle(text.parentElement).display === 'inline' && text.parentElement.previousSibling)
    if (before && /\\S$/.test(before.textContent)) continue
    for (const { 0: word, index } of text.data.matchAll(/\\S+:\\/\\/\\S+|[^\\s\\-/\\u200b\\u00ad]+/g)) {
      const letters = document.createRange()
      letters.setStart(text, index)
      letters.setEnd(text, index + word.length)
      const lines = new Set([...letters.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
      if (lines.size > 1 && word.length / lines.size < lettersMin) found.add('in ' + lines.size + ' pieces: ' + word)
    }
  }
  return [...found]
})`

/** A word may break where no place is left for it, but not into less than so many letters a line. */
const lettersMin = 8

/** @returns what sticks out to the side or is cut there, choices that have no room, tables wider than their place, and words in small pieces */
export const cutToTheSide = (page: Page) => page.evaluate<string[]>(`${findCut}(${lettersMin})`)
