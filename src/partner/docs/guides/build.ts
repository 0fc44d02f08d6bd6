import { join } from 'node:path'
import { sha256 } from '../../../base/crypto.ts'
import { framed, type PageFiles } from './frame.ts'
import { type BuiltFile, baseMark, missingName } from './names.ts'
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
  const styles = await Bun.file(join(import.meta.dir, 'guides.css')).text()
  const entry = join(import.meta.dir, 'browser/script.ts')
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  const script = (await outputs[0]?.text()) ?? ''
  const index = JSON.stringify(searchIndex(guides))
  const files: PageFiles = {
    stylesheet: versioned('guides.css', styles),
    script: versioned('guides.js', script),
    index: versioned('guides.json', index),
  }
  const list = guides.filter(({ name }) => name === 'guides').map(guideGroups)[0] ?? ''
  const missing = framed('Nothing is here', missingText, { files, list, base: baseMark, headings: '' })
  return [
    ...guides.map(guide => packed(guide.name, html, guidePage(guide, { files, list }))),
    packed(missingName, html, missing.replace(/(?<=class="side".*)href="/gs, `href="${baseMark}`)),
    packed('guides.css', 'text/css; charset=utf-8', styles),
    packed('guides.js', 'text/javascript; charset=utf-8', script),
    packed('guides.json', 'application/json; charset=utf-8', index),
  ]
}

const missingText = `<h1>Nothing is here</h1>
<p>No page has this address. It may have been mistyped, or moved.</p>
<p><a href="${baseMark}guides">All guides</a> · <a href="${baseMark}../docs">API reference</a> ·
<a href="${baseMark}../console">Console</a></p>`

/** Changed content has another address. */
const versioned = (name: string, text: string) => `${name}?v=${sha256(text).slice(0, 16)}`

const packed = (name: string, type: string, text: string): BuiltFile => ({
  name,
  type,
  packed: Buffer.from(Bun.gzipSync(text, { level: 9 })).toString('base64'),
})
