import { basename, dirname, join } from 'node:path'
import type { BunPlugin } from 'bun'
import { type Language, languages } from '../../../db/contract/preferences.ts'
import { type Asset, documentName } from './pack.ts'
import { leftToRight, withUsedColors, withUsedStyles } from './styles.ts'

/** Where the page's files lie. Their addresses are absolute, because the document is also served at deep links. */
export const assetPrefix = '/console/assets/'

const web = join(import.meta.dir, '../web')

export interface Bundle {
  readonly assets: readonly Asset[]
  /** The paths of all files that are in it, relative to the repository. */
  readonly inputs: readonly string[]
}

/**
 * Builds the page of a language from its source: the document, and the scripts and styles with their content in their
 * names. Identifiers are shortened, which the executable's own build does not do.
 * @throws Error that says which line cannot be built
 */
export async function bundlePage(language: Language = languages[0]): Promise<Bundle> {
  const words = wordsOf(language)
  const first = await build([words])
  const scripts = await Promise.all(first.outputs.filter(isScript).map(output => output.text()))
  // Built again with the styles of the components that the scripts use. The scripts stay the same.
  const built = await build([words, usedStyles(scripts.join('\n'))])
  const assets = await Promise.all(
    built.outputs.map(async output => ({
      name: output.path.endsWith('.html') ? documentName(language) : output.path.replace(/^\.\//, ''),
      type: output.type.replace(/;\s*charset/, '; charset'),
      contents: { identity: await contentOf(output, language) },
    })),
  )
  return { assets, inputs: Object.keys(built.metafile?.inputs ?? {}) }
}

const isScript = ({ path }: { path: string }) => path.endsWith('.js')

const build = (plugins: BunPlugin[]) =>
  Bun.build({
    entrypoints: [join(web, 'index.html')],
    target: 'browser',
    minify: true,
    // A page's script is loaded when the page is opened.
    splitting: true,
    publicPath: assetPrefix,
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    // Without this, React's development build is used.
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    plugins: [unusedParts, ...plugins],
  })

/** Parts of the libraries that no page uses, and that the components would bring along: 17 kB gzipped. */
const unusedParts: BunPlugin = {
  name: 'unused-parts',
  setup(builder) {
    const ofFields = '(Checkbox|Radio)(Card|Indicator)|TooltipFloating|FloatingArrow'
    const ofMenus = 'Menu(Search|Sub|(Checkbox|Radio)(Item|Group)|ContextMenu)|PopoverContextMenu'
    const ofFrames = 'AppShell(Aside|Footer|ResizeHandle)|assign-(aside|footer)-variables|Collapse'
    const ofButtons = 'ActionIconGroup(Section)?|use-(long-press|context-menu-handlers|horizontal-collapse)'
    const filter = new RegExp(`/(${ofFields}|${ofMenus}|${ofFrames}|${ofButtons})\\.mjs$`)
    builder.onLoad({ filter }, ({ path }) => {
      const name = basename(path, '.mjs').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      return { contents: `export const ${name} = () => null, ${name}Context = null`, loader: 'js' }
    })
    // Dialogs ask only whether they scroll by it.
    builder.onLoad({ filter: /\/ScrollArea\/ScrollArea\.mjs$/ }, () => ({
      ...{ contents: 'export const ScrollArea = { Autosize: 0 }, ScrollAreaAutosize = 0', loader: 'js' },
    }))
    // It serves browsers that cannot lock the scrolling by a style.
    builder.onResolve({ filter: /^react-remove-scroll$/ }, () => ({ path: join(web, 'components/RemoveScroll.tsx') }))
    // No page waits for a query by suspense, or hands its error to a boundary.
    builder.onLoad({ filter: /\/react-query\/.*\/suspense\.js$/ }, () => ({
      contents: 'export const shouldSuspend = () => false, ensureSuspenseTimers = () => {}, fetchOptimistic = () => {}',
      loader: 'js',
    }))
    builder.onLoad({ filter: /\/react-query\/.*\/QueryErrorResetBoundary\.js$/ }, () => ({
      ...{ contents: 'export const useQueryErrorResetBoundary = () => {}', loader: 'js' },
    }))
    builder.onLoad({ filter: /\/react-query\/.*\/errorBoundaryUtils\.js$/ }, () => ({
      contents: `export const getHasError = () => false, ensurePreventErrorBoundaryRetry = () => {},
        useClearResetErrorBoundary = () => {}`,
      loader: 'js',
    }))
    // Timers are the browser's.
    builder.onLoad({ filter: /\/query-core\/.*\/timeoutManager\.js$/ }, () => ({
      contents: `export const timeoutManager = window,
        systemSetTimeoutZero = window.setTimeout.bind(window)`,
      loader: 'js',
    }))
    // Nothing of the frame is drawn wider or narrower.
    builder.onLoad({ filter: /\/resize-section-config\.mjs$/ }, () => ({
      ...{ contents: 'export const RESIZE_SECTION_NAMES = []', loader: 'js' },
    }))
    // What opens comes in one of these ways.
    builder.onLoad({ filter: /\/Transition\/transitions\.mjs$/ }, async ({ path }) => {
      const { transitions } = await import(path)
      const { fade, pop, 'fade-down': fadeDown } = transitions
      return {
        contents: `export const transitions = ${JSON.stringify({ fade, pop, 'fade-down': fadeDown })}`,
        loader: 'js',
      }
    })
    // Names for who looks for an icon by its class, and keys that only the development build asks for.
    builder.onLoad({ filter: /\/icons-react\/.*\/icons\/Icon\w+\.mjs$/ }, async ({ path }) => {
      const icon = await Bun.file(path).text()
      const contents = icon
        .replace(/, "key": "svg-\d+"/g, '')
        .replace(/("outline"|"filled"), "[^"]*", "[^"]*"/, "$1, '', ''")
      return { contents, loader: 'js' }
    })
  },
}

/** The document names its language: a browser breaks words and reads aloud by it, and the scripts write dates. */
async function contentOf(output: Blob & { readonly path: string }, language: Language) {
  if (!output.path.endsWith('.html')) return new Uint8Array(await output.arrayBuffer())
  return new TextEncoder().encode((await output.text()).replace('<html lang="en">', `<html lang="${language}">`))
}

/** The pages import the English words. In another language's page, the files of that language stand in their places. */
const wordsOf = (language: Language): BunPlugin => ({
  name: 'words',
  setup(builder) {
    if (language === languages[0]) return
    builder.onResolve({ filter: /(^\.|\/texts)\/en\/\w+\.ts$/ }, ({ path, importer }) => ({
      path: join(dirname(importer), path).replace('/texts/en/', `/texts/${language}/`),
    }))
  },
})

const usedStyles = (scripts: string): BunPlugin => ({
  name: 'used-styles',
  setup(builder) {
    builder.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const sheet = await Bun.file(path).text()
      return { contents: leftToRight(withUsedColors(withUsedStyles(sheet, scripts), scripts)), loader: 'css' }
    })
  },
})
