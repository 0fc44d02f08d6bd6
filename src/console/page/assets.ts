import { bundlePage } from './bundle.ts'
import { type Asset, unpack } from './pack.ts'

/**
 * The files of the page. The executable has them inside; from source they are built, in a quarter of a second.
 * @throws Error when they cannot be built
 */
export async function pageAssets(): Promise<readonly Asset[]> {
  if (!Bun.isStandaloneExecutable) return (await bundlePage()).assets
  const { default: path } = await import('../../../dist/console.pack', { with: { type: 'file' } })
  return unpack(await Bun.file(path).bytes())
}
