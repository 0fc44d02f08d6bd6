import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonClient, typescriptClient } from '../../../packaging/clients.ts'
import { blocks } from '../../docs/blocks.ts'
import { run } from '../../programs.ts'

/** A folder that knows nothing of the repository, with both clients installed as their READMEs say. */
export interface Installation {
  readonly folder: string
  /** The packages, as a release has them. */
  readonly packed: readonly [npm: string, wheel: string]
  /** Lets Python find its client. */
  readonly python: Readonly<Record<string, string>>
}

export async function installClients(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-installed-'))
  const work = join(folder, 'work')
  mkdirSync(work)
  const packed = [typescriptClient(work, folder), pythonClient(work, folder, 1_700_000_000)] as const
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

  const inFolder = join(folder, 'python')
  await install('packages/client/README.md', 'npm', { npm_config_offline: 'true' }, [
    process.execPath,
    'add',
    packed[0],
  ])
  // A wheel is a ZIP of what is installed.
  const pip = { PIP_TARGET: inFolder, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  await install('clients/python/README.md', 'pip', pip, ['python3', '-m', 'zipfile', '-e', packed[1], inFolder])
  return { folder, packed, python: { PYTHONPATH: inFolder, PYTHONDONTWRITEBYTECODE: '1' } }

  /** Runs the lines of a README, or another command where their program is not there. */
  async function install(readme: string, program: string, env: Record<string, string>, other: readonly string[]) {
    const lines = blocks.find(({ path, language }) => path === readme && language === 'sh')?.text ?? 'false'
    const command = Bun.which(program) ? ['sh', '-e', '-c', lines] : other
    // Without Python, its tests say so.
    if (!Bun.which(command[0] ?? '')) return
    const ended = await run(command, { cwd: folder, env })
    if (ended.code !== 0) throw new Error(`${readme}: ${ended.stdout}${ended.stderr}`)
  }
}
