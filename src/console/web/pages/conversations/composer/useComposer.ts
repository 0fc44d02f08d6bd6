import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { minuteMs } from '../../../../../base/durations.ts'
import { answerOf } from '../../../api/client.ts'
import { toFailure } from '../../../api/failure.ts'
import { randomWord } from '../../../api/request.ts'
import { useAccount } from '../../../app/session.tsx'
import { useWorkspaceRoutes } from '../../../app/workspaceData.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { type ConversationPage, writingLine } from '../queries.ts'
import {
  asKept,
  type ChosenFile,
  type Draft,
  type Message,
  noDraft,
  type Outgoing,
  onLine,
  type Quote,
  type Written,
  written,
} from './composition.ts'
import { changeComposition, compositionKey, compositionOf, onCompositions } from './store.ts'

/** More than a person sends while a gateway is away. */
const outgoingMax = 10
/** While there is no answer, the same message is sent again, with its key; after that, when somebody says so. */
const repeatMs = 5_000
const repeatMsMax = 10 * minuteMs

/** The keys of what this tab is sending, and of the compositions that it goes through. */
const underWay = new Set<string>()
const inTurn = new Set<string>()

export const mayRepeat = ({ at, problem }: Outgoing) => problem === null && Date.now() - at < repeatMsMax

/** What is written and sent in a conversation, and from which line. @param page what the gateway shows of it */
export function useComposer(contactId: string, page: ConversationPage) {
  const { routes, refresh } = useWorkspaceRoutes()
  const [key] = useState(() => compositionKey(contactId))
  const { draft: kept, outgoing } = useSyncExternalStore(onCompositions, () => compositionOf(key))
  const [told, tell] = useState('')
  const { user } = useAccount()
  const { takenBy } = page
  /** Whose conversation somebody has agreed to write into, as long as it is open. */
  const asked = useRef<string | null>(null)
  const [question, setQuestion] = useState<{
    readonly name: string
    readonly send: () => void
    readonly drop: () => void
  } | null>(null)
  /** By hand. It holds for what is written next, too. */
  const [chosen, choose] = useState<string | null>(null)
  const line = writingLine(page, kept.lineId ?? chosen)
  // A file is there later than it was asked for.
  const lineId = useRef<string | null>(null)
  lineId.current = line?.id ?? null
  const draftOn = (draft: Draft) => onLine(draft, lineId.current)
  const setDraft = (next: Partial<Draft>) =>
    changeComposition(key, before => ({ ...before, draft: asKept({ ...draftOn(before.draft), ...next }) }))
  const change = (sent: string, next: (one: Outgoing) => readonly Outgoing[]) =>
    changeComposition(key, before => ({
      ...before,
      outgoing: before.outgoing.flatMap(one => (one.key === sent ? next(one) : [one])),
    }))

  /** @returns whether there is an answer */
  async function post({ key: idempotencyKey, phoneNumberId, message }: Outgoing): Promise<boolean> {
    if (underWay.has(idempotencyKey)) return false
    underWay.add(idempotencyKey)
    const known = async () => {
      await refresh('conversations')
      change(idempotencyKey, () => [])
    }
    try {
      await answerOf(routes.contacts({ contactId }).messages.post({ idempotencyKey, phoneNumberId, message }))
      await known()
      tell('sendAt' in message ? words.announceLater : words.announceSent)
      return true
    } catch (thrown) {
      const failure = toFailure(thrown)
      // The platform refused it: the message is there, and says why.
      const isKept = failure.reason === 'CHANNEL_GRAPH_ERROR'
      if (isKept) await known()
      else if (!failure.isTemporary && failure.status !== 401)
        change(idempotencyKey, one => [{ ...one, problem: failure.issues[0]?.message ?? failure.message }])
      if (isKept || !failure.isTemporary) tell(words.announceFailed(failure.message))
      return isKept || !failure.isTemporary
    } finally {
      underWay.delete(idempotencyKey)
    }
  }

  /** Sends what waits, each once the one before it has an answer: people get it in the order of its writing. */
  async function sendOn() {
    if (inTurn.has(key)) return
    inTurn.add(key)
    try {
      const tried = new Set<string>()
      for (;;) {
        const next = compositionOf(key).outgoing.find(one => mayRepeat(one) && !tried.has(one.key))
        if (!next) return
        tried.add(next.key)
        if (!(await post(next))) return
      }
    } finally {
      inTurn.delete(key)
    }
  }

  /** @param said what a bubble says that has no words of its own, until the gateway shows it */
  function submit(messages: readonly Written[], rest: Draft, said = '') {
    const { outgoing } = compositionOf(key)
    if (line === null || outgoing.length + messages.length > outgoingMax) return
    if (takenBy && takenBy.userId !== user.id && takenBy.userId !== asked.current) {
      const send = () => {
        asked.current = takenBy.userId
        submit(messages, rest, said)
      }
      return setQuestion({ name: takenBy.name, send, drop: () => setQuestion(null) })
    }
    const { id: phoneNumberId } = line
    const added = messages.map(({ message, draft }): Outgoing => {
      const sent = { key: `console-${randomWord()}`, at: Date.now(), phoneNumberId, message, draft, problem: null }
      return { ...sent, words: said || draft.text.trim() || (draft.files[0]?.name ?? '') }
    })
    // The keys are on disk before a message is on its way, and no second press finds the draft.
    changeComposition(key, () => ({ draft: rest, outgoing: [...outgoing, ...added] }))
    tell('')
    void sendOn()
  }

  // The gateway shows what this browser had no answer about.
  const shown = outgoing.filter(one => page.entries.some(({ sent }) => sent?.idempotencyKey === one.key))
  const settle = useEffectEvent(() => {
    for (const one of shown) if (!underWay.has(one.key)) change(one.key, () => [])
  })
  const repeat = useEffectEvent(() => {
    settle()
    void sendOn()
  })
  useEffect(() => {
    repeat()
    const timer = setInterval(repeat, repeatMs)
    addEventListener('online', repeat)
    return () => {
      clearInterval(timer)
      removeEventListener('online', repeat)
    }
  }, [])

  return {
    draft: draftOn(kept),
    setDraft,
    /** What is written leaves from it; null: none is active. */
    line,
    chooseLine(next: string) {
      choose(next)
      changeComposition(key, before => ({ ...before, draft: asKept(onLine(draftOn(before.draft), next)) }))
    },
    /** It leaves from the line of what it answers: another one has no such message. */
    reply(quote: Quote, ofLine: string | null) {
      const next = page.lines.find(({ id, active }) => active && id === ofLine)?.id ?? lineId.current
      changeComposition(key, before => ({ ...before, draft: { ...onLine(draftOn(before.draft), next), quote } }))
    },
    /** What the gateway does not show yet. */
    outgoing: outgoing.filter(one => !shown.includes(one)),
    isFull: outgoing.length + Math.max(1, kept.files.length) > outgoingMax,
    /** Before the first message into the conversation of somebody else; null: there is none to ask. */
    question,
    /** The end of the last send, for who does not see the bubble. */
    told,
    /** @param sendAt null: at once */
    send(sendAt: string | null = null) {
      const { messages, rest } = written(draftOn(compositionOf(key).draft))
      submit(
        messages.map(one => (sendAt === null ? one : { ...one, message: { ...one.message, sendAt } })),
        rest,
      )
    },
    addFile: (file: ChosenFile) =>
      changeComposition(key, ({ draft: before, outgoing }) => {
        const draft = draftOn(before)
        return { draft: { ...draft, files: [...draft.files, file] }, outgoing }
      }),
    /** What is no part of the draft: it stays to be written on. @param said what its bubble says */
    sendBeside(message: Message, said: string) {
      const draft = draftOn(compositionOf(key).draft)
      const rest = message.type === 'template' ? { ...draft, template: null } : draft
      submit([{ message, draft }], asKept(rest), said)
    },
    again: (one: Outgoing) => {
      const next = { ...one, problem: null }
      change(one.key, () => [next])
      void post(next)
    },
    discard: (one: Outgoing) => change(one.key, () => []),
    /** It was refused, so nothing went out: what is written next is another message. */
    edit: (one: Outgoing) =>
      changeComposition(key, before => ({
        draft: { ...noDraft, ...one.draft, lineId: one.phoneNumberId },
        outgoing: before.outgoing.filter(({ key }) => key !== one.key),
      })),
  }
}
export type ComposerState = ReturnType<typeof useComposer>
