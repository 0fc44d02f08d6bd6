import { Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Sign, useSigns } from '../../api/live.tsx'
import { useAccount } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { texts } from '../../texts/texts.ts'
import type { ComposerState } from './composer/useComposer.ts'

const words = texts.conversations

/** The others are told at most this often: each time counts as a change of the user. */
const tellMs = 10_000
/** Who wrote on has told it again by then. */
const writingMs = 15_000

/** Tells the others that the user writes. @param written what stands in the field */
export function useTellWriting(contactId: string, written: string): void {
  const { routes } = useWorkspaceRoutes()
  const before = useRef(written)
  const toldAt = useRef(Number.NEGATIVE_INFINITY)
  const tell = useEffectEvent(() => {
    const isWritten = written !== before.current && written !== ''
    before.current = written
    if (!isWritten || performance.now() - toldAt.current < tellMs) return
    toldAt.current = performance.now()
    void routes.contacts({ contactId }).writing.post()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each key
  useEffect(tell, [written])
}

/** Which colleague writes to the person now. It ends by itself, or with another key when something was sent. */
export function Writing({ contactId }: { contactId: string }) {
  const { user } = useAccount()
  const [sign, setSign] = useState<Sign | null>(null)
  useSigns(next => {
    if (next.kind === 'writing' && next.contactId === contactId && next.by.userId !== user.id) setSign(next)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sign counts for as long
  useEffect(() => {
    const timer = setTimeout(() => setSign(null), writingMs)
    return () => clearTimeout(timer)
  }, [sign])
  return (
    <Text size="xs" c="dimmed" role="status" className="one-line">
      {sign && words.isWriting(sign.by.name)}
    </Text>
  )
}

/** Before the first message into the conversation of somebody else. */
export function OthersQuestion({ question }: Pick<ComposerState, 'question'>) {
  return (
    <ConfirmDialog
      opened={question !== null}
      onClose={() => question?.drop()}
      title={words.othersTitle(question?.name ?? '')}
      confirmLabel={words.sendAnyway}
      isHarmless
      onConfirm={async () => question?.send()}
    >
      <Text size="sm">{words.othersHint}</Text>
    </ConfirmDialog>
  )
}
