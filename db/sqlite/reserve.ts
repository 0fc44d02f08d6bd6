import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { VerbAnswer, VerbCall } from '../../src/threads/protocol.ts'
import { isAsked } from '../rules/audited.ts'

/**
 * The log is moved into the file after 1,000 pages of 2 KiB: the file may grow by that much, and the log once more.
 * From then on the log is written over, so that people find room for as long as the disk is full.
 */
export const reserveBytes = 4 * 1_048_576
/** Repeated in the file: a file system that compresses does so in smaller pieces, and cannot make it smaller. */
const patternBytes = 262_144
/** The disk has to have the reserve, and as much again for the sends that are taken from then on. */
const freeBytesMin = 2 * reserveBytes
/** While the reserve is given up, the disk is asked for room this often. */
const lookMs = 1_000

type Commit = (batch: readonly VerbCall[]) => Promise<VerbAnswer[]>

/** A file that takes up room beside the database. */
export interface Reserve {
  /** Takes up the room, where the disk has it. @returns false while the disk has too little */
  hold(): boolean
  /** @returns whether there was room to give up */
  giveUp(): boolean
}

/** @param path of the database */
export function diskReserve(path: string): Reserve {
  const file = `${path}-reserve`
  const isHeld = () => statSync(file, { throwIfNoEntry: false })?.size === reserveBytes
  return {
    hold() {
      try {
        if (isHeld()) return true
        const { bavail, bsize } = statfsSync(dirname(path))
        if (bavail * bsize < freeBytesMin) return false
        writeFileSync(file, Buffer.alloc(reserveBytes, randomBytes(patternBytes)), { mode: 0o600 })
      } catch {
        // Not for want of room: then there is no reserve, and the database itself finds out what it may write.
        rmSync(file, { force: true })
      }
      return true
    },
    giveUp() {
      if (!isHeld()) return false
      rmSync(file)
      return true
    },
  }
}

/** The codes of a write for which the disk, or a quota, has no room. */
const noRoom = /^SQLITE_(FULL|IOERR)/

/**
 * Lets people sign in and change things while the disk is full. The first change of a person that finds no room gets
 * that of the reserve. From then on nothing else is written, until the disk has room for the reserve again.
 * @param steady milliseconds that only grow
 */
export function keepReserve(commit: Commit, reserve: Reserve, steady: () => number): Commit {
  let isGivenUp = !reserve.hold()
  let lookedAt = steady()

  const isStillGivenUp = () => {
    if (isGivenUp && steady() - lookedAt >= lookMs) {
      lookedAt = steady()
      isGivenUp = !reserve.hold()
    }
    return isGivenUp
  }

  return async batch => {
    if (isStillGivenUp()) {
      const asked = await commit(batch.filter(isAsked))
      return [...asked, ...batch.filter(call => !isAsked(call)).map(({ id }) => refused(id))]
    }
    const answers = await commit(batch)
    if (answers.every(({ ok }) => ok)) return answers
    const failed = new Set(answers.flatMap(answer => (answer.ok || !noRoom.test(answer.message) ? [] : [answer.id])))
    const again = batch.filter(call => failed.has(call.id) && isAsked(call))
    if (again.length === 0 || !reserve.giveUp()) return answers
    isGivenUp = true
    lookedAt = steady()
    const repeated = new Map((await commit(again)).map(answer => [answer.id, answer]))
    return answers.map(answer => repeated.get(answer.id) ?? answer)
  }
}

const refused = (id: number): VerbAnswer => ({
  id,
  ok: false,
  unavailable: true,
  message: 'the disk is full, and what is left of it is for changes by people',
})
