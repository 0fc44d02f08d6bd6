/*
 * What a page of the guides can do with a script: show one language at a time, copy, name this gateway, search. Without
 * it everything can be read.
 */
import { followSearch } from './search.ts'

/** The gateway, below the path of a proxy too: this file lies in its `docs/`. */
const gateway = new URL('..', import.meta.url).href.replace(/\/$/, '')
for (const span of document.querySelectorAll('.gateway')) span.textContent = gateway

const languageKey = 'waypost-language'
/** Browsers may forbid to keep anything. */
function remembered(language?: string): string | null {
  try {
    if (language !== undefined) localStorage.setItem(languageKey, language)
    return localStorage.getItem(languageKey)
  } catch {
    return language ?? null
  }
}

const button = (text: string, className: string) =>
  Object.assign(document.createElement('button'), { type: 'button', textContent: text, className })

interface Choice {
  readonly languages: readonly string[]
  show(language: string): void
}

/** One tab a language, of which one is shown. @param choose tells all groups of the page */
function tabbed(group: HTMLElement, at: number, choose: (language: string) => void): Choice {
  const blocks = [...group.querySelectorAll<HTMLElement>(':scope > .code')]
  const languages = blocks.map(({ dataset }) => dataset.language ?? '')
  const bar = document.createElement('div')
  bar.className = 'tabs'
  bar.setAttribute('role', 'tablist')
  bar.setAttribute('aria-label', 'Language')
  const tabs = languages.map((language, place) => {
    const tab = button(language, '')
    tab.setAttribute('role', 'tab')
    tab.id = `tab-${at}-${place}`
    tab.setAttribute('aria-controls', `code-${at}-${place}`)
    tab.onclick = () => {
      // What stands above may become shorter: the tab stays where it was pressed.
      const before = tab.getBoundingClientRect().top
      choose(language)
      scrollBy(0, tab.getBoundingClientRect().top - before)
    }
    tab.onkeydown = ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      const next = step && tabs.at((place + step) % tabs.length)
      if (!next) return
      next.click()
      next.focus()
    }
    return tab
  })
  for (const [place, block] of blocks.entries()) {
    block.id = `code-${at}-${place}`
    block.setAttribute('role', 'tabpanel')
    block.setAttribute('aria-labelledby', `tab-${at}-${place}`)
  }
  bar.append(...tabs)
  group.prepend(bar)
  return {
    languages,
    show(language) {
      const shown = Math.max(0, languages.indexOf(language))
      for (const [place, tab] of tabs.entries()) {
        tab.setAttribute('aria-selected', String(place === shown))
        tab.tabIndex = place === shown ? 0 : -1
        blocks[place]?.toggleAttribute('hidden', place !== shown)
      }
    },
  }
}

const groups: Choice[] = [...document.querySelectorAll<HTMLElement>('.languages')].map((group, at) =>
  tabbed(group, at, choose),
)
function choose(language: string): void {
  remembered(language)
  for (const group of groups) if (group.languages.includes(language)) group.show(language)
}
const chosen = remembered() ?? ''
for (const group of groups) group.show(chosen)

/** Browsers give the clipboard only with TLS, or on the own machine; elsewhere the text is marked, and copied so. */
async function copy(code: HTMLElement): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent.trimEnd())
  getSelection()?.selectAllChildren(code)
  document.execCommand('copy')
}
const copiedMs = 2_000
for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  const code = block.querySelector('code')
  if (!code) continue
  const copyButton = button('Copy', 'copy')
  copyButton.onclick = async () => {
    await copy(code)
    copyButton.textContent = 'Copied'
    setTimeout(() => {
      copyButton.textContent = 'Copy'
    }, copiedMs)
  }
  block.append(copyButton)
}

followSearch()
