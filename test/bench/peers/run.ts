import { join } from 'node:path'
import { describeMachine } from '../machine.ts'
import type { Fleet } from '../processes.ts'
import { begin, session } from '../session.ts'
import { figuresText, withFigures } from './document.ts'
import { byWrk, type Options, profiles, readOptions, usage } from './options.ts'
import { peersOf } from './peers.ts'

/*
 * Measures the executable beside gateways that others would write in a day, under one rule: stored before it is accepted,
 * sent, outcome stored before it is answered. It prints tables, and fails for what it could not measure.
 */

const documentPath = join(import.meta.dir, '../../../docs/speed.md')

async function measure(options: Options, fleet: Fleet, folder: string): Promise<void> {
  const { rounds, isQuick, binary, writes } = options
  const machine = await describeMachine({ binary, folder })
  console.log(machine.join('\n'))
  const peers = await peersOf(options.gateways, { fleet, folder, binary })
  for (const peer of peers) console.log(`${peer.name}: ${peer.isHere ? peer.durability : peer.missing}`)
  const failed: string[] = []
  const hasWrk = Bun.which('wrk') !== null
  for (const name of options.profiles) {
    if (byWrk.has(name) && !hasWrk) {
      console.log(`\nLeft out: ${name}, as wrk is not installed`)
      continue
    }
    const shared = fleet.size
    const run = { fleet, folder: join(folder, name), peers, rounds, isQuick }
    try {
      for await (const figures of profiles[name](run)) {
        const text = figuresText(figures, machine)
        console.log(`\n## ${figures.title}\n\n${text}`)
        if (writes) await Bun.write(documentPath, withFigures(await Bun.file(documentPath).text(), figures.title, text))
      }
    } catch (error) {
      // One gateway that gives up spoils its part, and not the others.
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
    await fleet.stopDownTo(shared)
  }
  if (failed.length > 0) throw new Error(`Not measured:\n${failed.join('\n')}`)
}

const options = begin(readOptions, usage)
process.exit(typeof options === 'number' ? options : await session((fleet, folder) => measure(options, fleet, folder)))
