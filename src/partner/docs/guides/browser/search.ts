import type { Finding } from '../searchIndex.ts'

const shownMax = 12

let index: Promise<readonly Finding[]> | undefined
/** The index is loaded when somebody searches; again after a failure. */
function load(address: string): Promise<readonly Finding[]> {
  index ??= fetch(address)
    .then(response => response.json() as Promise<readonly Finding[]>)
    .catch(cause => {
      index = undefined
      throw cause
    })
  return index
}

/** @returns what has all the words, first where the title has them, and then where it begins with them */
function find(findings: readonly Finding[], typed: string): readonly Finding[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = ([, title, guide, text]: Finding) => {
    const name = title.toLowerCase()
    if (!words.every(word => `${name} ${guide} ${text}`.toLowerCase().includes(word))) return 0
    if (name.startsWith(words.join(' '))) return 3
    return words.every(word => name.includes(word)) ? 2 : 1
  }
  return findings
    .map(finding => ({ finding, rank: rank(finding) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ finding }) => finding)
}

function linkOf([address, title, guide, words]: Finding, docs: string): HTMLElement {
  const link = Object.assign(document.createElement('a'), { href: docs + address })
  const part = (tag: string, text: string) => Object.assign(document.createElement(tag), { textContent: text })
  link.append(part('b', title), part('i', title === guide ? '' : guide), part('span', words))
  return link
}

/** Shows the field of the page, and below it what is found. */
export function followSearch(): void {
  const search = document.querySelector<HTMLElement>('search')
  const field = search?.querySelector('input')
  const found = search?.querySelector<HTMLElement>('.found')
  const address = document.querySelector<HTMLElement>('script[data-index]')?.dataset.index
  if (!search || !field || !found || address === undefined) return
  search.hidden = false
  const docs = new URL('.', import.meta.url).href
  const close = () => found.replaceChildren()
  async function show(typed: string): Promise<void> {
    if (!address || typed.trim() === '') return close()
    const findings = await load(address).then(
      all => find(all, typed),
      () => null,
    )
    if (field?.value !== typed) return
    const links = (findings ?? []).slice(0, shownMax).map(finding => linkOf(finding, docs))
    const none = findings === null ? 'The search cannot be loaded. Type again to try again.' : 'Nothing is found.'
    found?.replaceChildren(
      ...(links.length > 0 ? links : [Object.assign(document.createElement('p'), { textContent: none })]),
    )
  }
  field.onfocus = () => void load(address).catch(() => null)
  field.oninput = () => void show(field.value)
  search.onkeydown = event => {
    const links = [...found.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Escape') {
      close()
      field.focus()
    } else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click()
    else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus()
    else return
    event.preventDefault()
  }
  // As in the console.
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    field.focus()
  })
  document.addEventListener('click', event => {
    if (event.target instanceof Node && (!search.contains(event.target) || found.contains(event.target))) close()
  })
  // The console leads here with what was typed there.
  const asked = new URLSearchParams(location.search).get('q')
  if (asked === null) return
  field.value = asked
  field.focus()
  void show(asked)
}
