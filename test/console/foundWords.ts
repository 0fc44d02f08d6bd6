import { resolve } from 'node:path'
import { settings, shownSettings } from '../../src/config/settings.ts'

const src = resolve(import.meta.dir, '../../src')

const within = String.raw`\$\{(?:[^{}\x60]|\x60[^\x60]*\x60|\{[^{}]*\})*\}`
const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\$]|\\.|\$(?!\{)|${within})*\x60)`
const joined = new RegExp(String.raw`${literal}(?:\s*\+\s*${literal})*`, 'g')

/** @returns the sentences that a source writes, with `{}` for what differs */
const sentencesIn = (source: string): string[] =>
  [
    ...source
      .replace(/^import [^;]*?from '[^']*'$/gms, '')
      .replace(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
      .matchAll(joined),
  ]
    .map(([all]) =>
      [...all.matchAll(new RegExp(literal, 'g'))]
        .map(([one]) => one.slice(1, -1).replace(new RegExp(within, 'g'), '{}').replaceAll("\\'", "'"))
        .join(''),
    )
    .filter(words => /[a-z]{2,} [a-z{]|\} [a-z]{2,}|MB free/.test(words) && !/^[ ,.;]|^waypost /.test(words))

/** The parts of a source: each begins with a function or a constant, which may be exported. */
const partsOf = (source: string) => source.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)

/** What a running gateway finds of itself, as its checks write it; and why each of them is asked, by its file. */
export async function foundSentences(): Promise<ReadonlyMap<string, string>> {
  const running = await Bun.file(`${src}/doctor/running.ts`).text()
  const found = new Map<string, string>(
    [...running.matchAll(/look\('([^']+)'/g)].map(([, name = '']) => [name, 'running.ts'] as const),
  )
  const files = [...running.matchAll(/import \{([^}]+)\} from '\.\/(\w+\.ts)'/g)]
  const checks = files.map(([, names = '', file = '']) => [file, names.split(/[\s,]+/)] as const)
  for (const [file, names] of [...checks, ['serverChecks.ts', ['databaseServer'] as string[]] as const]) {
    const parts = partsOf(await Bun.file(`${src}/doctor/${file}`).text())
    const exportOf = (part: string) => /^export (?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
    const asked = parts.filter(part => names.includes(exportOf(part) ?? '')).join('\n')
    // What is exported for others alone is no finding of a running gateway.
    const isOwn = (name: string | undefined) =>
      name === undefined || names.includes(name) || asked.includes(` ${name}(`)
    const own = parts.filter(part => isOwn(exportOf(part)))
    for (const words of own.flatMap(sentencesIn)) found.set(words, file)
  }
  const weaknesses = await Bun.file(`${src}/config/weaknesses.ts`).text()
  for (const words of sentencesIn(weaknesses)) found.set(words, 'weaknesses.ts')
  for (const name of shownSettings) {
    const [fallback, purpose] = settings[name]
    found.set(purpose, 'settings.ts')
    if (/^[a-z ]+$/.test(fallback)) found.set(fallback, 'settings.ts')
  }
  return found
}
