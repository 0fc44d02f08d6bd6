import { join } from 'node:path'
import { languages } from '../db/contract/preferences.ts'
import { bundlePage } from '../src/console/page/bundle.ts'
import { pack } from '../src/console/page/pack.ts'
import { buildGuides } from '../src/partner/docs/guides/build.ts'
import { compress } from './compress.ts'

/** The console's pages for the executable, which has them inside: built and compressed before the executable is built. */
const pages = await Promise.all(languages.map(bundlePage))
// A file without words is the same in each language, and has the same name.
const assets = new Map(pages.flatMap(page => page.assets.map(asset => [asset.name, asset] as const)))
const inputs = new Set(pages.flatMap(page => page.inputs))
const dist = join(import.meta.dir, '../dist')
await Bun.write(join(dist, 'console.pack'), pack(await Promise.all([...assets.values()].map(compress))))
// What it is made of, for the bill of materials: the executable's own list has the one file alone.
const list = { inputs: Object.fromEntries([...inputs].map(path => [path, {}])) }
await Bun.write(join(dist, 'console.inputs.json'), JSON.stringify(list))
// The guides too: they are coloured and searched by what is made of them here.
await Bun.write(join(dist, 'guides.pack'), JSON.stringify(await buildGuides()))
