import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'

/** A run whose load and faults are drawn from a seed. */
interface Seeded {
  readonly seed: number
  readonly say?: (line: string) => void
}

/** @returns a seed that nobody has chosen */
export const anySeed = () => Math.floor(Math.random() * 2 ** 32)

/** @returns the seed of a test: that of `WAYPOST_CRASH_SEED` or any, and its log tells it */
export function seedOfTest(name: string): number {
  const seed = Number(process.env.WAYPOST_CRASH_SEED ?? anySeed())
  console.log(`${name}: WAYPOST_CRASH_SEED=${seed} draws the same load and faults`)
  return seed
}

/**
 * The command line of a run: `--seed`, and how much of it, as `--kills 500`. Ends the process, with 1 for a promise that
 * was broken.
 * @param file as somebody types it
 * @param much the option for how much, and its default
 */
export async function runSeeded<Name extends string>(
  file: string,
  [much, fallback]: readonly [Name, number],
  run: (options: Record<Name, number> & Seeded) => Promise<{ readonly violations: readonly string[] }>,
): Promise<never> {
  const options = { [much]: { type: 'string' }, seed: { type: 'string' } } as const
  const { values } = parseArgs({ options, strict: true })
  const count = Number(values[much] ?? fallback)
  const seed = Number(values.seed ?? anySeed())
  if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
    process.stderr.write(`Use: bun ${file} [--${much} <n>] [--seed <n>]\n`)
    process.exit(2)
  }
  ensureBuilt()
  const say = (line: string) => process.stdout.write(`${line}\n`)
  say(`${count} ${much}; --seed ${seed} draws the same load and faults`)
  const report = await run({ ...({ [much]: count } as Record<Name, number>), seed, say })
  say(JSON.stringify(report, null, 2))
  process.exit(report.violations.length === 0 ? 0 : 1)
}
