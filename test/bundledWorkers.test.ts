import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { testFolder } from './folder.ts'
import { run } from './programs.ts'

const within = testFolder('bundled-workers')

/** Above all that Linux gives to a process. */
const endedPid = 4_194_305
const user = process.getuid?.() ?? 0
const preload = resolve(import.meta.dir, 'bundledWorkers.ts')
const starting = `
  const { workerUrl } = await import(${JSON.stringify(resolve(import.meta.dir, '../src/threads/thread.ts'))})
  new Worker(workerUrl('writer')).terminate()`

test('in the shared temporary folder, what ended processes left is removed, and what others left is left alone', async () => {
  const left = (owner: number) => within(`waypost-workers-${owner}`, `${endedPid}-1`)
  for (const owner of [user, user + 1]) mkdirSync(left(owner), { recursive: true })
  const env = { TMPDIR: within() }
  const { code, stderr } = await run([process.execPath, '--preload', preload, '-e', starting], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(existsSync(left(user + 1))).toBe(true)
  const [own, ...others] = readdirSync(within(`waypost-workers-${user}`))
  expect(others).toEqual([])
  expect(existsSync(join(within(`waypost-workers-${user}`), own ?? '', 'writer.js'))).toBe(true)
  expect(own).not.toStartWith(`${endedPid}-`)
})
