import type { Page } from 'playwright-core'

/**
 * Runs in the page. A text from right to left that has no direction of its own turns around what stands beside it. In
 * sentences it stands between two marks; code is shown as it is, and of a choice the browser draws each row by itself.
 */
const findUnisolated = `(() => {
  const fromTheRight = /[\\u0590-\\u08ff]/
  const bare = text => fromTheRight.test(text.replaceAll(/\\u2068[^\\u2069]*\\u2069/g, ''))
  const found = bare(document.title) ? ['the title: ' + document.title] : []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (!bare(data) || parentElement.closest('bdi, [dir=auto], option, textarea, pre, script, style')) continue
    found.push(parentElement.localName + '.' + parentElement.className + ': ' + data)
  }
  return found
})()`

/** @returns the texts of people from right to left that are drawn without a direction of their own */
export const unisolatedTexts = (page: Page) => page.evaluate<string[]>(findUnisolated)

/**
 * @param text what it says, where the selector finds others too
 * @returns of each of these pieces, one after the other within what the selector finds, where its first letter is drawn
 */
export const leftsOf = (page: Page, selector: string, pieces: readonly string[], text = '') =>
  page.evaluate<number[]>(`(() => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})]
    const holder = found.find(each => each.textContent.includes(${JSON.stringify(text)}))
    const texts = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
    const pieces = ${JSON.stringify(pieces)}
    const lefts = []
    let from = 0
    while (lefts.length < pieces.length && (from > 0 || texts.nextNode())) {
      const node = texts.currentNode
      const at = node.data.indexOf(pieces[lefts.length], from)
      from = at < 0 ? 0 : at + 1
      if (at < 0) continue
      const letter = document.createRange()
      letter.setStart(node, at)
      letter.setEnd(node, at + 1)
      lefts.push(letter.getBoundingClientRect().left)
    }
    return lefts
  })()`)
