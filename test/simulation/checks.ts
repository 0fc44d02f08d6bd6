import { delivered, eventsAreTold, inOrder, offMeansOff, replayed } from './checks/delivered.ts'
import { newStays, nothingIsLeft } from './checks/erased.ts'
import { answeredIsKept, fetchedIsWhole, showsItsFile } from './checks/files.ts'
import { foundOf } from './checks/found.ts'
import { answeredIdNames, graphFormsAreAnswered, graphKeysAreKept, refusedIsNowhere } from './checks/graph.ts'
import {
  cancelledNeverLeaves,
  endsAsThePlatformSaw,
  inItsTime,
  neverTwice,
  ownOnly,
  pace,
  reportedStays,
} from './checks/sent.ts'
import { batchesAreWhole, daysAreExact, planIsExact, whole, writtenOnce } from './checks/stored.ts'
import { pausedIsRefused, pausedStays, templateIsAsTold } from './checks/templates.ts'
import {
  formsAreAnswered,
  keysAreKept,
  oneMessageOfKey,
  onlyForward,
  revokedMeansNow,
  toldIsStored,
} from './checks/told.ts'
import type { HistoryDatabase } from './database.ts'
import type { History } from './history.ts'
import type { Log } from './log.ts'

/*
 * What must be true of every history, from outside the code: what each caller was told, what the platform has seen,
 * what receivers got, and what is stored in the end. Each check says what is broken, in a sentence.
 */

export const checks = [
  neverTwice,
  toldIsStored,
  keysAreKept,
  oneMessageOfKey,
  reportedStays,
  inItsTime,
  onlyForward,
  endsAsThePlatformSaw,
  planIsExact,
  daysAreExact,
  eventsAreTold,
  delivered,
  inOrder,
  replayed,
  offMeansOff,
  nothingIsLeft,
  newStays,
  answeredIdNames,
  graphKeysAreKept,
  refusedIsNowhere,
  formsAreAnswered,
  graphFormsAreAnswered,
  pausedIsRefused,
  pausedStays,
  templateIsAsTold,
  answeredIsKept,
  showsItsFile,
  fetchedIsWhole,
  revokedMeansNow,
  cancelledNeverLeaves,
  batchesAreWhole,
  writtenOnce,
  ownOnly,
  pace,
  whole,
] as const

/** @returns each promise that a history has broken, in a sentence */
export function broken(history: History, log: Log, database: HistoryDatabase): string[] {
  const found = foundOf(history, log, database)
  return [
    ...log.errors.filter(words => !isOfTrouble(words)).map(words => `it logged an error: ${words}`),
    ...log.failures,
    ...log.unfinished.map(words => `in the end: ${words}`),
    ...checks.flatMap(check => [...check(found)]),
  ]
}

/** A disk that is full, or held for longer than is waited for, is told as an error, and tried again. */
const isOfTrouble = (words: string) =>
  /could not be (stored|kept)|trying again|retrying/.test(words) &&
  /Unavailable|SQLITE_FULL|another process has been writing/.test(words)
