import { runProgram } from '../../../src/cli/program.ts'
import type { Death } from './killable.ts'
import { replaceThreads } from './threads.ts'

/**
 * `waypost serve` with threads that can be poisoned: SIGUSR2 gives the writer the death that is named as argument, and
 * says so on stderr; whatever is asked of the writer after that finds it poisoned.
 */
const threads = replaceThreads()
process.on('SIGUSR2', () => {
  threads.last('writer').poison(process.argv[2] as Death)
  process.stderr.write('poisoned\n')
})
process.exit(await runProgram(['serve'], process.env))
