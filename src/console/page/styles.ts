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
 * bytes. No list has to be maintained. A sheet that does not import them stays as it is.
 * @param styles a sheet of the page
 * @param scripts the built scripts of the page
 */
export function withUsedStyles(styles: string, scripts: string): string {
  // Of some sixty sheets only the page's own one imports the library, and to find its components takes long.
  if (!styles.includes(wholeSheet)) return styles
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

/**
 * Leaves out the shades of the library's colours that no script names: half of its variables.
 * @param styles a sheet of the library or of the page. @param scripts the built scripts of the page
 */
export function withUsedColors(styles: string, scripts: string): string {
  const palette = [...new Set(styles.match(/(?<=--mantine-color-)[a-z]+(?=-9:)/g))]
  const unused = palette.filter(color => !scripts.includes(`"${color}"`) && !scripts.includes(`-${color}-`))
  if (unused.length === 0) return styles
  return styles.replace(new RegExp(`--mantine-color-(?:${unused.join('|')})-[\\w-]+:[^;}]*;?`, 'g'), '')
}

/** The names of logical properties, which follow a text's direction, as those of a page that is read from the left. */
const physicalNames: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])inset-inline-start(?![\w-])/g, 'left'],
  [/(?<![\w-])inset-inline-end(?![\w-])/g, 'right'],
  [/(?<![\w-])(margin|padding|border)-inline-start(?![\w])/g, '$1-left'],
  [/(?<![\w-])(margin|padding|border)-inline-end(?![\w])/g, '$1-right'],
  [/(?<![\w-])border-start-start-radius/g, 'border-top-left-radius'],
  [/(?<![\w-])border-start-end-radius/g, 'border-top-right-radius'],
  [/(?<![\w-])border-end-start-radius/g, 'border-bottom-left-radius'],
  [/(?<![\w-])border-end-end-radius/g, 'border-bottom-right-radius'],
]

/**
 * Says left and right where a sheet says start and end. For browsers without logical properties, the bundler writes
 * each such rule six times, with the names of all languages written from the right: a third of the sheet, for a
 * page whose languages are all written from the left.
 */
export const leftToRight = (sheet: string): string =>
  physicalNames.reduce((text, [logical, physical]) => text.replace(logical, physical), sheet)
