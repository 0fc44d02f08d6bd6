import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { binary, ensureBuilt } from '../../executable.ts'
import { hasPostgres } from '../../postgres.ts'
import { needs, program, run } from '../../programs.ts'

/** Ten seconds on a quiet machine. */
const msMax = 60_000
const { isMissing, name } = needs(
  'the bench beside other gateways installs, starts, measures and kills one',
  program('wrk'),
  ['PostgreSQL', hasPostgres],
)

test.skipIf(isMissing)(
  name,
  async () => {
    ensureBuilt()
    const harness = join(import.meta.dir, '../../bench/peers/run.ts')
    const options = ['--quick', '--gateways', 'express', '--only', 'connections,kills', '--binary', binary]
    const { code, stdout, stderr } = await run([process.execPath, harness, ...options])
    expect(code, stderr).toBe(0)
    for (const title of ['Sends from 64 connections', 'Kills under load']) expect(stdout).toContain(`## ${title}`)
    expect(stdout).toMatch(/^\| Express \+ PostgreSQL +\| [\d,]+ \([\d,]+–[\d,]+\) /m)
    // Of the kills: sends, and none of them lost.
    expect(stdout).toMatch(/^\| Express \+ PostgreSQL +\| [\d,]+ +\| 0 +\|/m)
  },
  msMax,
)
