import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { plugin } from 'bun'
import { bundled } from './bundles.ts'

/*
 * Loaded before each process of tests. Two packages are half of the modules that a file of tests loads: TypeBox, with
 * 683, and the older one that Elysia has, with 249. From a few bundled files each, a file with a gateway loads in two
 * thirds of the processor time: 80 ms less.
 */

const packages = resolve(import.meta.dir, '../node_modules')

/** What can be imported of them, all of it: an entry that was left out would have its own copy of what they share. */
const entries = ['typebox/build', '@sinclair/typebox/build/esm']
  .flatMap(folder => [`${folder}/index.mjs`, `${folder}/*/index.mjs`])
  .flatMap(pattern => [...new Bun.Glob(pattern).scanSync({ cwd: packages, absolute: true })])

plugin({
  name: 'bundled packages',
  setup(build) {
    build.onLoad({ filter: /\/(typebox\/build|@sinclair\/typebox\/build\/esm)\/(\w+\/)?index\.mjs$/ }, ({ path }) => {
      const folder = bundled('packages', entries, ['--splitting', '--format=esm', '--root', packages])
      const file = join(folder, relative(packages, path).replace(/mjs$/, 'js'))
      const hasDefault = / as default\b/.test(readFileSync(file, 'utf8'))
      const names = hasDefault ? ['*', '{ default }'] : ['*']
      return { contents: names.map(name => `export ${name} from ${JSON.stringify(file)}`).join('\n'), loader: 'js' }
    })
  },
})
