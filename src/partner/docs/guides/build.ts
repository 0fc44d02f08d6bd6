import { join } from 'node:path'
import { framed, type PageFiles } from './frame.ts'
import { type BuiltFile, baseMark, missingName, versionOf } from './names.ts'
import { guideList } from './pages.ts'
import { guideGroups, guidePage, renderGuide } from './render.ts'
import { searchIndex } from './searchIndex.ts'

const root = join(import.meta.dir, '../../../..')
const html = 'text/html; charset=utf-8'
/** Makes all pages of the guides with what they load. It takes half a second: the executable has them inside. */
export async function buildGuides(): Promise<readonly BuiltFile[]> {
  const markdown = (path: string) => Bun.file(join(root, path)).text()
  const guides = await Promise.all(
    guideList.map(async guide => renderGuide({ ...guide, markdown: await markdown(guide.path) }, guideList)),
  )
  const own = (path: string) => join(import.meta.dir, path)
  const styles = packed('guides.css', 'text/css; charset=utf-8', await Bun.file(own('guides.css')).text())
  const { outputs } = await Bun.build({ entrypoints: [own('browser/script.ts')], target: 'browser', minify: true })
  const script = packed('guides.js', 'text/javascript; charset=utf-8', (await outputs[0]?.text()) ?? '')
  const index = packed('guides.json', 'application/json; charset=utf-8', JSON.stringify(searchIndex(guides)))
  const files: PageFiles = { stylesheet: addressOf(styles), script: addressOf(script), index: addressOf(index) }
  const list = guides.filter(({ name }) => name === 'guides').map(guideGroups)[0] ?? ''
  const based = list.replaceAll('href="', `href="${baseMark}`)
  const missing = framed('Nothing is here', missingText, { files, list: based, base: baseMark, headings: '' })
  return [
    ...guides.map(guide => packed(guide.name, html, guidePage(guide, { files, list }))),
    packed(missingName, html, missing),
    ...[styles, script, index],
  ]
}

const missingText = `<h1>Nothing is here</h1>
<p>No page has this address. It may have been mistyped, or moved.</p>
<p><a href="${baseMark}guides">All guides</a> · <a href="${baseMark}../docs">API reference</a> ·
<a href="${baseMark}../console">Console</a></p>`

const addressOf = (file: BuiltFile) => `${file.name}?v=${versionOf(file)}`

const packed = (name: string, type: string, text: string): BuiltFile => ({
  name,
  type,
  packed: Buffer.from(Bun.gzipSync(text, { level: 9 })).toString('base64'),
})
