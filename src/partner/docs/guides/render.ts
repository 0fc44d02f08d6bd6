import { dirname, join } from 'node:path/posix'
import type { Guide } from './pages.ts'

/** A heading of a guide, for the list at its top. */
interface Heading {
  readonly level: number
  readonly anchor: string
  readonly html: string
}

/** Raw HTML in a guide is shown as text: a page has no markup except what Markdown produces. */
const options = { autolinks: true, noHtmlBlocks: true, noHtmlSpans: true, tagFilter: true } as const

/** A page with fewer parts is read at a glance. */
const listedHeadingsMin = 4

/**
 * Makes a page of a guide.
 * @param guides all guides: links between them lead from page to page
 * @param stylesheet its address, relative to the page
 */
export function renderGuide(
  { path, markdown }: Guide & { readonly markdown: string },
  guides: readonly Guide[],
  stylesheet: string,
): string {
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
    .replace(/<pre><code class="language-(\w+)">/g, (pre, language: string) => labelled(pre, languageNames[language]))
    // The first heading is the title; the list of the others stands below it.
    .replace('</h1>', title => title + contents(headings))
  return page(textOf(headings[0]?.html ?? path), body, stylesheet)
}

/** Shown at a block, where several languages stand together. */
const languageNames: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  nginx: 'nginx',
  caddyfile: 'Caddy',
}

const labelled = (pre: string, name: string | undefined) =>
  name === undefined ? pre : pre.replace('<pre>', `<pre data-language="${name}">`)

/** The address of a heading, as GitHub makes it, so that links work there and here. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

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

function contents(headings: readonly Heading[]): string {
  const large = headings.filter(({ level }) => level === 2)
  // A page with few large parts lists their sub-headings.
  const parts = large.length < listedHeadingsMin ? headings.filter(({ level }) => level > 1) : large
  if (parts.length < listedHeadingsMin) return ''
  const items = parts.map(({ anchor, html }) => `<li><a href="#${anchor}">${html}</a></li>`)
  return `<details class="contents"><summary>On this page</summary><ul>${items.join('')}</ul></details>`
}

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const page = (title: string, body: string, stylesheet: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(title)} · Waypost</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<header><nav aria-label="Waypost"
><strong>Waypost</strong><a href="guides">Guides</a><a href="../docs">API reference</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`
