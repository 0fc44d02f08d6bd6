/**
 * The keys that work on every page. They are ignored while the user types, and with a modifier, because those belong to
 * the browser. A dialog takes the focus, and the list keys do not work behind it.
 * The key of the palette works while the user types, too.
 * @param onHelp `?` was pressed
 */
export function listenToKeys(onHelp: () => void, onPalette: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    if (isPaletteKey(event) && !isIn(event.target, '[role="dialog"]')) {
      event.preventDefault()
      return onPalette()
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { target, key } = event
    if (key === 'Escape') return leaveSearch(event)
    if (isIn(target, 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]')) return
    if (key === '?') onHelp()
    else if (key === '/') focusSearch(event)
    else if (key === 'r' && focusAnswer()) event.preventDefault()
    else if (key === 'j' || (key === 'ArrowDown' && isInList(target))) moveRow(event, 1)
    else if (key === 'k' || (key === 'ArrowUp' && isInList(target))) moveRow(event, -1)
    // Held down, it would press what comes next too.
    else if (!event.repeat && press(key)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  // Before the click leads elsewhere.
  for (const kind of ['focusin', 'click']) document.addEventListener(kind, rememberRow, true)
  return () => {
    document.removeEventListener('keydown', onKey)
    for (const kind of ['focusin', 'click']) document.removeEventListener(kind, rememberRow, true)
  }
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
/** As it is printed on the keyboard. */
export const paletteKey = isApple ? '⌘ K' : 'Ctrl K'

/** On a Mac, Ctrl and K cut a line while somebody types. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey

/** A telephone has no such keys. */
export const hasKeys = !matchMedia('(pointer: coarse)').matches
/** As it is printed on the keyboard. @param enterSends as the user chose, or the device suggests */
export const sendKey = (enterSends: boolean) => (enterSends ? 'Enter' : isApple ? '⌘ Enter' : 'Ctrl Enter')
/** Enter with Ctrl or ⌘ always sends, with Shift never. */
export const isSendKey = (event: Modified, enterSends: boolean) =>
  event.key === 'Enter' && (event.metaKey || event.ctrlKey || (enterSends && !event.shiftKey && !event.altKey))
type Modified = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

/** A page marks its search with this attribute. */
export const searchField = { 'data-search': true } as const
/** And with this one where the person whose words it shows is answered. */
export const answerPlace = { 'data-answer': true } as const

/** @returns whether there is such a place */
export function focusAnswer(): boolean {
  const place = document.querySelector<HTMLElement>('[data-answer]')
  place?.focus()
  return place !== null
}

/** A page marks with this attribute what a key of one letter presses. */
export const keyed = (key: KeyOfPage) => ({ 'data-key': key })
/** In a conversation: take, done, unread; the next with something unread; and a new message. */
type KeyOfPage = 't' | 'e' | 'u' | 'n' | 'c'

/** @returns whether there is something that this key presses */
function press(key: string): boolean {
  // A button that waits for its answer loses the focus, of a dialog too; and a menu is open before it has the focus.
  if (document.querySelector('[aria-modal="true"], [role="menu"]')) return false
  const place = /^[a-z]$/.test(key) ? document.querySelector<HTMLElement>(`[data-key="${key}"]`) : null
  place?.click()
  return place !== null
}

const isIn = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null
const isInList = (target: EventTarget | null) => target instanceof Element && target.matches('[data-row-link]')

/** The search stays: Chromium would empty a field of searches, and its list with it. */
function leaveSearch(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement && target.matches('[data-search]'))) return
  event.preventDefault()
  target.blur()
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('[data-search]')
  if (!field) return
  event.preventDefault()
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** The row of each list that somebody was at last: they go on there when they are back. By the path of the page. */
const lastRows = new Map<string, string>()
const lastRowsMax = 50

function rememberRow({ target }: Event): void {
  const row = target instanceof Element ? target.closest('tr, [data-row-link]') : null
  const link = row?.matches('[data-row-link]') ? row : row?.querySelector('[data-row-link]')
  const href = link?.getAttribute('href')
  if (!href) return
  lastRows.delete(location.pathname)
  lastRows.set(location.pathname, href)
  const [oldest] = lastRows.keys()
  if (lastRows.size > lastRowsMax && oldest !== undefined) lastRows.delete(oldest)
}

function moveRow(event: KeyboardEvent, step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  if (rows.length === 0) return
  event.preventDefault()
  const focused = rows.findIndex(row => row.contains(document.activeElement))
  const last = lastRows.get(location.pathname)
  const at = focused === -1 ? rows.findIndex(row => row.getAttribute('href') === last) : focused
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  const row = rows[Math.max(0, Math.min(next, rows.length - 1))]
  row?.focus()
  row?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
