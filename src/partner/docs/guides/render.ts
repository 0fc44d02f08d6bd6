import { dirname, join } from 'node:path/posix'
import { withBlocks } from './blocks.ts'
import { type Frame, framed } from './frame.ts'
import type { Guide } from './pages.ts'
import { anchorOf, textOf } from './text.ts'

/** A heading of a guide, for the list beside it. */
interface Heading {
  readonly level: number
  readonly anchor: string
  readonly html: string
}

/** Raw HTML in a guide is shown as text: a page has no markup except what Markdown produces. */
const options = { autolinks: true, noHtmlBlocks: true, noHtmlSpans: true, tagFilter: true } as const

/** A page with fewer parts is read at a glance. */
const listedHeadingsMin = 4

/** A guide as HTML. */
export interface Rendered extends Guide {
  readonly title: string
  readonly body: string
  readonly headings: readonly Heading[]
}

/**
 * Makes the text of a page of a guide.
 * @param guides all guides: links between them lead from page to page
 */
export function renderGuide(guide: Guide & { readonly markdown: string }, guides: readonly Guide[]): Rendered {
  const { path, name, markdown } = guide
  const headings: Heading[] = []
  const body = Bun.markdown
    .html(markdown, options)
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, html: string) => {
      const heading = { level: Number(level), anchor: anchorOf(textOf(html)), html }
      headings.push(heading)
      return headingHtml(heading)
    })
    .replace(/<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs, (_, href: string, rest: string, html: string) =>
      linkHtml(hrefFrom(path, href, guides), rest, html),
    )
    // The executable has no pictures: their alternative text is shown instead.
    .replace(/<img\s[^>]*?alt="([^"]*)"[^>]*>/g, '$1')
    // A wide table scrolls by itself, so that a narrow screen does not.
    .replace(/<table>.*?<\/table>/gs, table => `<div class="table" tabindex="0">${table}</div>`)
    // A setting can be linked to by its name.
    .replace(/<tr>\s*<td><code>([A-Z][A-Z_]{3,})<\/code>/g, (row, setting: string) =>
      path === 'docs/settings.md' ? row.replace('<tr>', `<tr id="${setting}">`) : row,
    )
  return { name, path, title: textOf(headings[0]?.html ?? path), body: withBlocks(body), headings }
}

/** The whole page of a guide. @param frame what it has in common with the others */
export function guidePage({ name, title, body, headings }: Rendered, frame: Omit<Frame, 'headings' | 'base'>): string {
  const listed = listOf(headings)
  // The first heading is the title; where the window has no room beside it, the list of the others stands below it.
  const above = listed && `<details class="contents"><summary>On this page</summary>${listed}</details>`
  const list = frame.list.replace(`href="${name}"`, `href="${name}" aria-current="page"`)
  return framed(title, body.replace('</h1>', `</h1>${above}`), { ...frame, list, base: '', headings: listed })
}

/** The guides as the index has them: a group a row of its table. */
export function guideGroups(index: Rendered): string {
  const rows = [...index.body.matchAll(/<td><strong>(.*?)<\/strong><\/td>(.*?)<\/tr>/gs)]
  return rows
    .map(([, group = '', cell = '']) => {
      const links = [...cell.matchAll(/<a href="([a-z-]+)">(.*?)<\/a>/g)]
      return `<strong>${group}</strong><ul>${links.map(([link]) => `<li>${link}</li>`).join('')}</ul>`
    })
    .join('\n')
}

/** A heading that is a code can also be linked to as the code is written: `#NOT_FOUND`. */
function headingHtml({ level, anchor, html }: Heading): string {
  const text = textOf(html)
  const asWritten = /^[A-Z_]{2,}$/.test(text) ? `<span id="${text}"></span>` : ''
  return `<h${level} id="${anchor}">${asWritten}<a class="anchor" href="#${anchor}">${html}</a></h${level}>`
}

/** @returns where a link of a guide leads in the executable; null when the executable does not have it. */
function hrefFrom(path: string, href: string, guides: readonly Guide[]): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [target = '', anchor] = href.split('#')
  const name = guides.find(guide => guide.path === join(dirname(path), target))?.name
  if (name === undefined) return null
  return anchor === undefined ? name : `${name}#${anchor}`
}

const linkHtml = (href: string | null, rest: string, html: string) =>
  href === null ? html : `<a href="${href}"${rest}>${html}</a>`

/** @returns the list of a page's parts; empty when there are few */
function listOf(headings: readonly Heading[]): string {
  const large = headings.filter(({ level }) => level === 2)
  // A page with few large parts lists their sub-headings.
  const parts = large.length < listedHeadingsMin ? headings.filter(({ level }) => level > 1) : large
  if (parts.length < listedHeadingsMin) return ''
  const items = parts.map(({ anchor, html }) => `<li><a href="#${anchor}">${html}</a></li>`)
  return `<ul>${items.join('')}</ul>`
}
