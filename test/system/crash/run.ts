import { runSeeded } from '../rig/seeded.ts'
import { crash } from './crash.ts'

await runSeeded('test/system/crash/run.ts', ['kills', 500], crash)
