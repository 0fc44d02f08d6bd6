import type { Page } from 'playwright-core'

/** Runs in the page. What has nothing to tell (a zero, an answer that was right) may be left out of a row. */
const findWithout = `[...document.querySelectorAll('.data-row')].filter(row => {
  const told = [...row.querySelectorAll(':scope > :is([data-place=what], [data-place=more])')]
  return told.length > 0 && told.every(cell => !cell.checkVisibility() && !cell.querySelector('.untold'))
}).map(row => row.innerText.replace(/\\s+/g, ' '))`

/** @returns the rows of lists of which this width leaves nothing but who and when: they do not say what */
export const rowsWithoutSentence = (page: Page) => page.evaluate<string[]>(findWithout)
