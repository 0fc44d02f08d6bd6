import { textOf } from './text.ts'

/** What is used of it. Its own types bring those of a browser, which then are everywhere in the program. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void
  getLanguage(name: string): object | undefined
  highlight(text: string, options: { language: string }): { readonly value: string }
}
const hljs: Highlighter = require('highlight.js/lib/core')
const grammars: Readonly<Record<string, unknown>> = {
  sh: require('highlight.js/lib/languages/bash'),
  http: require('highlight.js/lib/languages/http'),
  ini: require('highlight.js/lib/languages/ini'),
  json: require('highlight.js/lib/languages/json'),
  nginx: require('highlight.js/lib/languages/nginx'),
  php: require('highlight.js/lib/languages/php'),
  python: require('highlight.js/lib/languages/python'),
  ts: require('highlight.js/lib/languages/typescript'),
  js: require('highlight.js/lib/languages/typescript'),
  yaml: require('highlight.js/lib/languages/yaml'),
}
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)

/** Shown at a block, where several languages stand together. */
const languageNames: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  nginx: 'nginx',
  caddyfile: 'Caddy',
}

/** Where the documents say that the gateway is. A page shows its own address instead, but not in what a proxy reads. */
const address = 'http://127.0.0.1:8080'
const callers = ['sh', 'ts', 'python', 'php']

/** Colours the blocks of a page, and puts those of several languages that stand together into one group. */
export const withBlocks = (html: string): string =>
  html
    .replace(/<pre><code(?: class="language-([^"]*)")?>(.*?)<\/code><\/pre>/gs, (_, language = '', code: string) =>
      blockHtml(language, textOf(code)),
    )
    .replace(/(?:<div class="code" data-language="[^"]*">.*?<\/div>\s*){2,}/gs, group =>
      areDistinct(group) ? `<div class="languages">${group}</div>\n` : group,
    )

function blockHtml(language: string, text: string): string {
  const isKnown = hljs.getLanguage(language) !== undefined
  const coloured = isKnown ? hljs.highlight(text, { language }).value : Bun.escapeHTML(text)
  const code = callers.includes(language)
    ? coloured.replaceAll(address, `<span class="gateway">${address}</span>`)
    : coloured
  const name = languageNames[language]
  const label = name === undefined ? '' : ` data-language="${name}"`
  return `<div class="code"${label}><pre tabindex="0"><code>${code}</code></pre></div>`
}

function areDistinct(group: string): boolean {
  const languages = [...group.matchAll(/data-language="([^"]*)"/g)].map(([, name]) => name)
  return new Set(languages).size === languages.length
}
