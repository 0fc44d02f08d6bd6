import { crash } from './rounds.ts'
import { runSeeded } from './seeded.ts'

await runSeeded('test/system/crash/run.ts', ['kills', 500], crash)
