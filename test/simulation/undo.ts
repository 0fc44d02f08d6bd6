import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { undone } from './undone.ts'

/*
 * Undoes each mend of `undone.ts` in a copy, and plays histories there until one shows it:
 * `bun test/simulation/undo.ts`, with a part of a name to try some.
 */
const root = resolve(import.meta.dir, '../..')
const secondsMax = 60
const copied = ['src', 'db', 'workers', 'test', 'package.json', 'tsconfig.json', 'bunfig.toml']
const wanted = process.argv[2] ?? ''
let missed = 0

for (const { name, among, edits } of undone.filter(one => one.name.includes(wanted))) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-undone-'))
  try {
    for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, has, was } of edits) {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      if (text.split(has).length !== 2) throw new Error(`${name}: ${file} does not have once: ${has}`)
      writeFileSync(
        path,
        text.replace(has, () => was),
      )
    }
    const startedAt = performance.now()
    const ran = Bun.spawnSync(
      [
        'bun',
        'test/simulation/run.ts',
        '--seconds',
        String(secondsMax),
        '--seed',
        '1',
        '--unshortened',
        '--among',
        among.join(),
      ],
      {
        cwd: folder,
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const [summary, first, ...rest] = ran.stdout.toString().trim().split('\n')
    const again = rest.at(-1) ?? ''
    if (ran.exitCode === 0) missed += 1
    console.info(
      ran.exitCode === 0 ? `MISSED ${name}: ${summary}` : `found ${name} in ${seconds} s:${first}\n  ${again}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = missed === 0 ? 0 : 1
