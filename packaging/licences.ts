import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled, type Inside, neededBy } from './contents.ts'

/** All let a program of another licence have the package inside, as long as their text comes along. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Unlicense', 'CC0-1.0'])

/** @param expression SPDX: one licence, several of which one may be chosen, or several that all hold */
export function isAllowed(expression: string): boolean {
  const terms = expression.replace(/[()]/g, '').split(/\s+/)
  const names = terms.filter(term => term !== 'OR' && term !== 'AND')
  return terms.includes('OR') && !terms.includes('AND')
    ? names.some(name => allowed.has(name))
    : names.every(name => allowed.has(name))
}

/** Comes as one file that is already bundled: what it needs is inside that file. */
const prebuilt = '@scalar/api-reference'

const runtime = `Bun ${Bun.version} (MIT), with JavaScriptCore and WebKit (LGPL-2.1), and further libraries

Copyright (c) Oven. The executable is Bun's runtime with Waypost's program inside. Bun's own licence, the list of the
libraries that it links, and how to link it with another version of JavaScriptCore: https://github.com/oven-sh/bun/blob/main/LICENSE.md
`

/**
 * The licences of everything that the executable has inside: what THIRD_PARTY_LICENSES says.
 * @param contents the bundler's own lists of the files (`--metafile`)
 * @throws Error for a package without a licence, or with one that is not allowed
 */
export async function thirdPartyLicences(contents: readonly string[]): Promise<string> {
  const packages = [...(await bundled(contents)), ...neededBy(prebuilt)]
  const refused = packages.filter(({ licence }) => !isAllowed(licence))
  if (refused.length > 0) {
    throw new Error(`licences that are not allowed: ${refused.map(({ name, licence }) => `${name} (${licence})`)}`)
  }
  const byText = new Map<string, Set<string>>()
  for (const one of packages) {
    const text = textOf(one)
    byText.set(text, (byText.get(text) ?? new Set()).add(`${one.name} ${one.version} (${one.licence})`))
  }
  const parts = [...byText].map(([text, names]) => `${[...names].sort().join('\n')}\n\n${text}\n`)
  const line = `\n${'-'.repeat(80)}\n\n`
  return `The executable waypost has the following inside, under these licences.\n${line}${[runtime, ...parts.sort()].join(line)}`
}

/** @returns the text that the package brings along; else the common one of its licence */
function textOf({ folder, licence, author, name }: Inside): string {
  const files = readdirSync(folder)
    .filter(file => /^(licen[sc]e|copying|notice)([.-]|$)/i.test(file))
    .sort()
  if (files.length > 0) {
    return files.map(file => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n')
  }
  const [copyright, text] = [`Copyright (c) ${author ?? `the authors of ${name}`}`, commonTexts[licence]]
  if (text === undefined) throw new Error(`${name} brings no text of its licence ${licence}, and none is known here`)
  return `${copyright}\n\n${text.trim()}`
}

/** For packages that name a licence and bring no text of it. */
const commonTexts: Readonly<Record<string, string>> = {
  MIT: `
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  'Apache-2.0': `
Licensed under the Apache License, Version 2.0. Its text is in this file, with other packages of this licence, and at
https://www.apache.org/licenses/LICENSE-2.0`,
  Unlicense: `
This is free and unencumbered software released into the public domain. Anyone is free to copy, modify, publish, use,
compile, sell, or distribute this software, either in source code form or as a compiled binary, for any purpose,
commercial or non-commercial, and by any means. The software is provided "as is", without warranty of any kind.
https://unlicense.org`,
}

// `bun packaging/licences.ts LIST…` prints them, for an image.
if (import.meta.main) process.stdout.write(await thirdPartyLicences(process.argv.slice(2)))
