import type { Command } from 'commander'
import type { Workspace } from '../../db/contract/accounts.ts'
import { onOptOutChoices, optOutAnswerCharsMax, startWordsDefault, stopWordsDefault } from '../message/optOut.ts'
import { isWord, setOptOuts, wordRule } from '../operations/optOuts.ts'
import { addVerb } from './command.ts'
import { done, UsageError } from './failure.ts'
import { argument, idOf, oneOf, optional, type Reader, readerOf, toggle } from './inputs.ts'
import { report, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'

const words: Reader<readonly string[]> = {
  ...readerOf('words', `Each ${wordRule}.`, given => {
    const each = given.split(',').map(word => word.trim())
    return each.every(isWord) ? each : null
  }),
  isList: true,
}

const answerText = readerOf('text', `It must have 1 to ${optOutAnswerCharsMax} characters.`, given =>
  given.trim() !== '' && given.length <= optOutAnswerCharsMax ? given : null,
)

/** `waypost workspace set-opt-outs`: who wants no marketing, by which words, and what becomes of it. */
export function setOptOutsCommand(workspace: Command, { withStore }: Workbench): void {
  addVerb(workspace, {
    name: 'set-opt-outs',
    summary: 'choose by which words people opt out of marketing, and whether marketing to who has opted out is sent',
    example: 'workspace set-opt-outs ws_… --on-opt-out refuse --stop-words STOP,PARAR',
    inputs: {
      workspace: argument(idOf('workspace'), 'the workspace, ws_…'),
      onOptOut: optional(oneOf('word', onOptOutChoices), 'refuse marketing templates to who wants none, or send them'),
      stopWords: optional(words, 'the words that opt out, with commas; can be given several times'),
      startWords: optional(words, 'the words that take it back, in the same way'),
      usualWords: toggle('the words that everybody has, of six languages'),
      withoutWords: toggle('no word opts out'),
      answer: optional(answerText, 'what who opts out by a word is sent, within the open window'),
      withoutAnswer: toggle('nothing is sent then'),
    },
    oneOf: [['onOptOut', 'stopWords', 'startWords', 'usualWords', 'withoutWords', 'answer', 'withoutAnswer']],
    run({ workspace, onOptOut, stopWords, startWords, usualWords, withoutWords, answer, withoutAnswer }) {
      const ways = [stopWords ?? startWords, usualWords || undefined, withoutWords || undefined]
      if (ways.filter(way => way !== undefined).length > 1)
        throw new UsageError('Give words, --usual-words or --without-words')
      if (answer !== undefined && withoutAnswer) throw new UsageError('Give either --answer or --without-answer')
      const all = usualWords ? null : withoutWords ? [] : undefined
      const change = {
        onOptOut,
        stopWords: all === undefined ? stopWords : all,
        startWords: all === undefined ? startWords : all,
        optOutAnswer: withoutAnswer ? null : answer,
      }
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      return withStore(async ({ store }) => {
        const changed = done(await setOptOuts(store, workspace, given))
        return { data: withIsoTimes(changed), text: report('Opt-outs changed', optOutDetails(changed)) }
      })
    },
  })
}

/** What a workspace has decided, a line each. */
export const optOutDetails = ({ onOptOut, stopWords, startWords, optOutAnswer }: Workspace) => ({
  'marketing to who wants none': onOptOut,
  'words that opt out': (stopWords ?? stopWordsDefault).join(', ') || 'none',
  'words that opt in': (startWords ?? startWordsDefault).join(', ') || 'none',
  'answer to who opts out': optOutAnswer ?? 'none',
})
