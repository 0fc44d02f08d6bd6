import { systemClock } from '../../src/base/clock.ts'
import { loadConfig } from '../../src/config/config.ts'
import { rotateSecretKey } from '../../src/operations/keyRotation.ts'
import { openFile } from '../openFile.ts'

/** Rotates the key of DATA_DIR and is killed as soon as the named step is on disk. */
const [deadlyStep] = process.argv.slice(2)
const config = loadConfig(process.env)
const store = await openFile(config.databasePath)
await rotateSecretKey({
  store,
  config,
  newKey: null,
  at: systemClock.now(),
  onStep(step) {
    if (step === deadlyStep) process.kill(process.pid, 'SIGKILL')
  },
})
