import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../structure/modules.ts'

/** A fenced block of a document. What stands behind the language in its first line says how it is checked. */
export interface Block {
  readonly path: string
  /** The line of its fence, from 1. */
  readonly line: number
  readonly language: string
  readonly note: string
  readonly text: string
}

const folders = ['docs', 'clients/python', 'packages/client']
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...folders.flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`),
  ),
]

/** The documents of readers, by path. */
export const texts: ReadonlyMap<string, string> = new Map(
  documents.map(path => [path, readFileSync(join(root, path), 'utf8')]),
)

const fence = /^```([a-z]*) ?([^\n]*)\n([\s\S]*?)^```$/gm

function blocksOf(path: string, text: string): Block[] {
  return [...text.matchAll(fence)].map(({ 1: language = '', 2: note = '', 3: body = '', index }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    language,
    note,
    text: body,
  }))
}

/** Every block of every document, in order. */
export const blocks: readonly Block[] = [...texts].flatMap(([path, text]) => blocksOf(path, text))

/**
 * What a program needs of the cookbook to send safely in a language: its first block and that of the retries, which
 * wait for nothing, and for an answer as long as told.
 */
export function setupAndRetries(language: string, timeoutSeconds: number): string {
  const own = blocks.filter(block => block.path === 'docs/cookbook.md' && block.language === language)
  const retries = own.find(({ text }) => /send_?safely/i.test(text))
  const text = `${own[0]?.text}\n${retries?.text}`
  const limited = replaced(text, /^((?:const )?timeout(?:Ms)? ?= ?)30(?=_000|;|$)/im, `$1${timeoutSeconds}`)
  return language === 'sh'
    ? replaced(limited, /for WAIT in [\d ]+/, 'for WAIT in 0 0 0 0 0 0')
    : replaced(limited, /2 ?\*\* ?\$?attempt \/ 4/, '0')
}

function replaced(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`nothing is like ${pattern} in:\n${text}`)
  return text.replace(pattern, by)
}

export const blockName = ({ path, line, language }: Block) => `${path}:${line} ${language}`

/** The reason why a block is not run; null when it is. */
export const reasonNotRun = ({ note }: Block): string | null => /^not run: (.+)$/.exec(note)?.[1] ?? null

/** @returns the commands of a block: lines that belong together are one. */
export function statements({ text }: Block): string[] {
  const found: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open += open === '' ? line : `\n${line}`
    if (/\\$/.test(line) || !isWhole(open)) continue
    if (!/^\s*(#.*)?$/.test(open)) found.push(open)
    open = ''
  }
  if (open !== '') throw new Error(`the shell does not understand: ${open}`)
  return found
}

export const isWhole = (script: string): boolean =>
  Bun.spawnSync(['bash', '-n'], { stdin: Buffer.from(script), stdout: 'ignore', stderr: 'ignore' }).exitCode === 0

/** `NAME=value` and nothing else, with a comment if need be. */
export const assignment = /^([A-Z][A-Z0-9_]*)=(\S*)(?:\s+#.*)?$/

/** Whether a block is a program of its own, and no part of those above it. */
export const isReceiver = ({ note }: Block): boolean => note === 'receiver'

/** Whether a block is settings, as they stand in an environment file. */
export const isSettings = (block: Block): boolean => {
  const lines = block.text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return lines.length > 0 && lines.every(line => assignment.test(line))
}
