import { runSeeded } from '../rig/seeded.ts'
import { held } from './held.ts'

/** Of the issue that asked for batches. */
const items = 10_000
const scheduled = 1_000

await runSeeded('test/system/crash/heldRun.ts', ['kills', 500], options => held({ ...options, items, scheduled }))
