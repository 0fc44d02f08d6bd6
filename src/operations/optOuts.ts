import type { OptOutSettings, Workspace } from '../../db/contract/accounts.ts'
import type { Contact } from '../../db/contract/records.ts'
import { orNull, Type } from '../base/schema.ts'
import {
  comparable,
  type OwnWords,
  onOptOutChoices,
  optOutAnswerCharsMax,
  startWordsDefault,
  stopWordsDefault,
  type Wish,
  type WishSource,
  wishes,
  wordCharsMax,
  wordsMax,
} from '../message/optOut.ts'
import { type Actor, conflict, existing, Refused, wrongField } from './act.ts'
import { contactOf } from './contacts.ts'

/** One word, or a short phrase. */
export const wordField = Type.String({ minLength: 1, maxLength: wordCharsMax })
const wordsField = (description: string) => orNull(Type.Array(wordField, { maxItems: wordsMax }), { description })

export const onOptOutField = Type.Enum([...onOptOutChoices], {
  description: '`refuse`: a marketing template to who wants none is refused; `send`: it is sent.',
})

export const optOutFields = {
  onOptOut: onOptOutField,
  stopWords: wordsField('A message that is one of them, and nothing else, opts out. Null: those that everybody has.'),
  startWords: wordsField('The same for those that take it back.'),
  optOutAnswer: orNull(Type.String({ minLength: 1, maxLength: optOutAnswerCharsMax }), {
    description: 'What who opts out by a word is sent, within the open window; null: nothing.',
  }),
}

export const wishField = Type.Enum([...wishes], {
  description: '`stop`: no marketing messages any more. `resume`: they may come again.',
})

export const wordRule = `must have letters or digits, and ${wordCharsMax} characters at most`
export const isWord = (word: string): boolean => comparable(word) !== '' && word.length <= wordCharsMax

/** @returns the words without those that are compared as an earlier one */
const apart = (words: readonly string[] | null) =>
  words && [...new Map(words.toReversed().map(word => [comparable(word), word.trim()])).values()].toReversed()

function wordsProblem({ stopWords, startWords }: OwnWords): Refused | null {
  const known = { stopWords: stopWords ?? stopWordsDefault, startWords: startWords ?? startWordsDefault }
  for (const [field, words] of Object.entries(known))
    if (!words.every(isWord)) return wrongField(`/${field}`, `each ${wordRule}`)
  const stops = new Set(known.stopWords.map(comparable))
  const both = known.startWords.find(word => stops.has(comparable(word)))
  return both === undefined ? null : wrongField('/startWords', `“${both}” is a word that opts out too`)
}

/** Changes what is given of them. It applies from the next send, and from the next word of a person. */
export async function setOptOuts(
  { read, write }: Pick<Actor, 'read' | 'write'>,
  workspaceId: string,
  given: Partial<OptOutSettings>,
): Promise<Workspace | Refused> {
  const { stopWords, startWords, optOutAnswer } = given
  const before = existing(await read.workspace(workspaceId), 'workspace', workspaceId)
  if (before instanceof Refused) return before
  const change: Partial<OptOutSettings> = {
    ...given,
    ...(stopWords !== undefined && { stopWords: apart(stopWords) }),
    ...(startWords !== undefined && { startWords: apart(startWords) }),
  }
  if (Object.keys(change).length === 0) return before
  const problem = wordsProblem({ ...before, ...change })
  if (problem) return problem
  if (optOutAnswer?.trim() === '') return wrongField('/optOutAnswer', 'must have words, or be null')
  return existing(await write.setOptOuts({ workspaceId, ...change }), 'workspace', workspaceId)
}

/** Says in the place of a person whether it wants marketing. What it told the platform stays as it is. */
export async function setWish(
  actor: Actor,
  contactId: string,
  value: Wish,
  source: WishSource,
): Promise<Contact | Refused> {
  const contact = await contactOf(actor, contactId)
  if (contact instanceof Refused) return contact
  const { id, workspaceId } = contact
  const wish = { workspaceId, contactId: id, value, source, at: actor.clock.now() }
  const said = await actor.write.setWish(wish)
  return said?.contact ?? conflict('The contact was forgotten: nobody knows who is meant.')
}
