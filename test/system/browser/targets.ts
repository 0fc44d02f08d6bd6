import type { Page } from 'playwright-core'

/** Runs in the page. A small sign may be pressed beside it too: what is drawn around it by `::after` counts. */
const findSmall = `(({ targetPx, textPx }) => {
  const found = new Set()
  const called = element => (element.ariaLabel ?? element.innerText ?? '').trim().slice(0, 40) || element.outerHTML.slice(0, 120)
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, [role="button"], [role="menuitem"]')) {
    // In a sentence, a target is as high as its line.
    const { display, fontSize } = getComputedStyle(element)
    if (!element.checkVisibility({ visibilityProperty: true }) || display === 'inline') continue
    // Of a chart: who cannot hit a bar has the same in words.
    if (element.matches('a[tabindex="-1"]')) continue
    // A row is pressed anywhere.
    if (element.matches('[data-row-link]')) continue
    const isBox = ['checkbox', 'radio'].includes(element.type)
    const place = (isBox && element.closest('label, [class*="-body"]')) || element
    const { width, height } = place.getBoundingClientRect()
    if (width <= 1 || height <= 1) continue
    const around = getComputedStyle(element, '::after')
    const pressed = around.content === 'none' ? height : Math.max(height, Number.parseFloat(around.height) || 0)
    if (pressed < targetPx) found.add(Math.round(pressed) + ' pixels high: ' + called(element))
    if (!isBox && element.matches('input, select, textarea') && Number.parseFloat(fontSize) < textPx)
      found.add('text of ' + fontSize + ': ' + called(element))
  }
  return [...found]
})`

/** A finger's; and below this size of text, a telephone enlarges the page at each tap. */
const smallest = { targetPx: 39.5, textPx: 16 }

/** @returns what is too small on a telephone to be pressed or written into */
export const smallTargets = (page: Page) => page.evaluate<string[]>(`${findSmall}(${JSON.stringify(smallest)})`)
