import { runSeeded } from '../rig/seeded.ts'
import { cluster } from './cluster.ts'

await runSeeded('test/system/cluster/run.ts', ['seconds', 600], cluster)
