import { plugin } from 'bun'
import { hungAfterMs } from './timeLimit.ts'

/*
 * Loaded before each process of tests. Bun has no setting for the time limit, and its default comes back with each
 * file: so each file of tests begins with the limit, on its first line. One that needs more sets a multiple below.
 */
const limit = `import { setDefaultTimeout as limitTests } from 'bun:test'; limitTests(${hungAfterMs}); const givenTimeLimitMs = ${hungAfterMs}; `

plugin({
  name: 'time limit',
  setup(build) {
    build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
      contents: limit + (await Bun.file(path).text()),
      loader: 'ts',
    }))
  },
})
