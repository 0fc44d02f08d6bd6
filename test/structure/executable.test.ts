import { expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from '../folder.ts'
import { run } from '../programs.ts'
import { root } from './modules.ts'

const within = testFolder('executable')

/** Writes a file that is as old as told, in seconds. */
function put(path: string, at: number): void {
  mkdirSync(within(path, '..'), { recursive: true })
  writeFileSync(within(path), '')
  utimesSync(within(path), at, at)
}

/** What tests of the executable say in a copy of the repository that has nothing but these files. */
async function saidWith(executable: string): Promise<string> {
  const program = `import { ensureBuilt } from '${within('test/executable.ts')}'; ensureBuilt()`
  const { stderr } = await run([process.execPath, '-e', program], { env: { WAYPOST_BINARY: within(executable) } })
  return /^error: (.*)$/m.exec(stderr)?.[1] ?? stderr
}

test('no test judges the executable of dist/ while a source is newer; another one is judged as it is', async () => {
  await Bun.write(within('test/executable.ts'), Bun.file(join(root, 'test/executable.ts')))
  put('src/main.ts', 1_000)
  put('docs/errors.md', 1_000)
  put('dist/waypost', 2_000)
  put('release/waypost', 2_000)
  expect(await saidWith('dist/waypost')).toBe('')
  put('docs/errors.md', 3_000)
  expect(await saidWith('dist/waypost')).toEndWith(' is older than docs/errors.md: bun run build')
  expect(await saidWith('release/waypost')).toBe('')
  expect(await saidWith('other/waypost')).toStartWith('There is no executable at ')
})
