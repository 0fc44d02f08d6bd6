import manifest from '../package.json' with { type: 'json' }
import { bundled } from './contents.ts'

interface Component {
  readonly type: 'library' | 'platform'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly licenses: readonly { readonly expression: string }[]
}

/**
 * What the executable is made of, as a CycloneDX 1.6 document: the runtime, and every package of which a file is
 * inside.
 * @param contents the bundler's own lists of the files (`--metafile`)
 * @param epoch seconds since 1970
 * @throws Error when a package names no licence
 */
export async function billOfMaterials(contents: readonly string[], version: string, epoch: number): Promise<string> {
  const packages = (await bundled(contents)).map(({ name, version, licence }) =>
    component('library', name, version, licence),
  )
  // One version of a package may lie in two folders.
  const components = new Map([component('platform', 'bun', Bun.version, 'MIT'), ...packages].map(c => [c.purl, c]))
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        name: manifest.name,
        version,
        licenses: [{ expression: manifest.license }],
      },
    },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function component(type: Component['type'], name: string, version: string, expression: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, name, version, purl, 'bom-ref': purl, licenses: [{ expression }] }
}
