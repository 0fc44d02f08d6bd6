/** The address of each file that a page loads, relative to `/docs/`. */
export interface PageFiles {
  readonly stylesheet: string
  readonly script: string
  readonly index: string
}

/** What may stand beside the text of a page. */
export interface Frame {
  readonly files: PageFiles
  /** The addresses of the page are relative to this: `docs/` of the gateway. */
  readonly base: string
  /** All guides, in their groups. */
  readonly list: string
  /** The headings of this page; empty: too few. */
  readonly headings: string
}

/** A page around its text. The search is shown by the script, without which nothing could be found. */
export const framed = (title: string, body: string, { files, base, list, headings }: Frame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(title)} · Waypost</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}${files.stylesheet}">
<script type="module" src="${base}${files.script}" data-index="${base}${files.index}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<nav aria-label="Waypost"><strong>Waypost</strong><a href="${base}guides">Guides</a>
<a href="${base}../docs">API reference</a><a href="${base}../console">Console</a></nav>
<search hidden><input type="search" aria-label="Search" autocomplete="off" spellcheck="false"
 placeholder="Search guides, settings, commands, codes"><div class="found" role="status"></div></search>
</header>
<div class="columns">
<nav class="side" aria-label="Guides">${list}</nav>
<nav class="folded" aria-label="Guides"><details><summary>All guides</summary>${list}</details></nav>
<main id="content">
${body}
</main>
${headings === '' ? '' : `<nav class="side" aria-label="On this page"><strong>On this page</strong>${headings}</nav>`}
</div>
</body>
</html>
`
