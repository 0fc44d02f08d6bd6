import { parseArgs } from 'node:util'
import { kinds } from './history.ts'
import { seek, shown, summary } from './seek.ts'

/*
 * Plays histories for as long as it is told: `--seconds 28800` for a night. `--seed` and `--path` play one history
 * again. `--unshortened`: the first history that fails is told as it is. `--among send,crash`: with these kinds of
 * acts alone; they are repeated with the seed.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    seed: { type: 'string' },
    path: { type: 'string' },
    unshortened: { type: 'boolean' },
    among: { type: 'string' },
  },
})
const { seconds, seed, path } = values
let next = seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed)
const sought = await seek({
  seeds: () => next++,
  forMs: Number(seconds) * 1_000,
  ...(path !== undefined && { path }),
  ...(values.among !== undefined && { among: kinds.filter(kind => values.among?.split(',').includes(kind)) }),
  ...(values.unshortened && { shrinkMs: 0 }),
})
console.info(summary(sought))
if (sought.finding) {
  console.info(shown(sought.finding, values.among))
  process.exitCode = 1
}
