import type { Page } from 'playwright-core'

/**
 * Runs in the page. Each line of each text is a box, as far as nothing cuts it. What floats (a heading that stays, a
 * menu above the page) lies above others on purpose, and a sign may stand in the corner of a letter.
 */
const findOverlapping = `(sharedPx => {
  const boxes = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const holder = text.parentElement
    if (text.data.trim() === '' || holder.closest('textarea, option, svg')) continue
    if (!holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const cuts = []
    let floats = false
    for (let box = holder; box !== null; box = box.parentElement) {
      const { position, zIndex, overflowX, overflowY, clipPath } = getComputedStyle(box)
      if (position === 'fixed' || position === 'sticky' || clipPath !== 'none') floats = true
      if (position === 'absolute' && zIndex !== 'auto') floats = true
      if (overflowX !== 'visible' || overflowY !== 'visible') cuts.push(box.getBoundingClientRect())
    }
    if (floats) continue
    const letters = document.createRange()
    letters.selectNodeContents(text)
    for (const line of letters.getClientRects()) {
      const left = Math.max(line.left, ...cuts.map(box => box.left))
      const right = Math.min(line.right, ...cuts.map(box => box.right))
      const top = Math.max(line.top, ...cuts.map(box => box.top))
      const bottom = Math.min(line.bottom, ...cuts.map(box => box.bottom))
      if (right - left > sharedPx && bottom - top > sharedPx) boxes.push({ text, left, right, top, bottom })
    }
  }
  const found = new Set()
  boxes.sort((one, other) => one.top - other.top)
  boxes.forEach((one, at) => {
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom - sharedPx; next += 1) {
      const other = boxes[next]
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      if (one.text !== other.text && across > sharedPx)
        found.add([one, other].map(({ text }) => '"' + text.data.trim().slice(0, 40) + '"').join(' and '))
    }
  })
  return [...found]
})`

/** Two lines of text may come so near to each other that their boxes share this much: letters do not fill them. */
const sharedPx = 5

/** @returns pairs of texts that stand one over the other */
export const overlappingTexts = (page: Page) => page.evaluate<string[]>(`${findOverlapping}(${sharedPx})`)
