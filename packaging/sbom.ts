import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dir, '..')

interface Component {
  readonly type: 'library' | 'platform'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly licenses: readonly { readonly expression: string }[]
}

/**
 * What the executable is made of, as a CycloneDX 1.6 document: the runtime, and every package of which a file is inside.
 * @param contents the bundler's own lists of the files (`--metafile`)
 * @param epoch seconds since 1970
 * @throws Error when a package names no licence
 */
export async function billOfMaterials(contents: readonly string[], version: string, epoch: number): Promise<string> {
  const lists = await Promise.all(contents.map(path => Bun.file(path).json() as Promise<{ inputs: object }>))
  const folders = new Set(lists.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder))
  const packages = await Promise.all([...folders].map(describe))
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

/** @returns the folder of the package that a file belongs to, or nothing for a file of ours */
function packageFolder(file: string): string[] {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []
  return folder === undefined ? [] : [folder]
}

async function describe(folder: string): Promise<Component> {
  const { name, version, license } = (await Bun.file(join(root, folder, 'package.json')).json()) as {
    name: string
    version: string
    license?: string
  }
  if (!license) throw new Error(`${folder}/package.json names no licence, and the bill of materials needs it`)
  return component('library', name, version, license)
}

function component(type: Component['type'], name: string, version: string, expression: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, name, version, purl, 'bom-ref': purl, licenses: [{ expression }] }
}
