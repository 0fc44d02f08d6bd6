import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** All styles of the component library, as the page imports them. */
const wholeSheet = '@import "@mantine/core/styles.css";'
/** What the components share: they have no class of their own, and come first. */
const base = ['baseline.css', 'default-css-variables.css', 'global.css']

/** Each component has classes of its own, whose names stand in its script too. */
const classesOf = (sheet: string) => new Set((sheet.match(/\.m_[0-9a-f]+/g) ?? []).map(name => name.slice(1)))

/**
 * Imports the styles of the components that are used, in the library's order, in place of all of them: a third of the
 * bytes. No list has to be maintained.
 * @param styles the page's own sheet
 * @param scripts the built scripts of the page
 */
export function withUsedStyles(styles: string, scripts: string): string {
  const library = join(import.meta.dir, '../../../node_modules/@mantine/core')
  const whole = readFileSync(join(library, 'styles.css'), 'utf8')
  const used = readdirSync(join(library, 'styles'))
    .filter(file => file.endsWith('.css') && !file.endsWith('.layer.css') && !base.includes(file))
    .map(file => ({ file, classes: [...classesOf(readFileSync(join(library, 'styles', file), 'utf8'))] }))
    .filter(({ classes }) => classes.some(name => scripts.includes(name)))
    .map(({ file, classes }) => ({ file, at: Math.min(...classes.map(name => whole.indexOf(`.${name}`))) }))
    .sort((one, other) => one.at - other.at)
    .map(({ file }) => file)
  const imports = [...base, ...used].map(file => `@import "@mantine/core/styles/${file}";`)
  return styles.replace(wholeSheet, imports.join('\n'))
}
