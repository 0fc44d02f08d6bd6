import { type ButtonProps as MantineButtonProps, Text } from '@mantine/core'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import type { Asking } from '../../components/ActionMenu.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { useNow } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type ConversationPage, writingLine } from '../conversations/queries.ts'
import { isWindowOpen } from '../conversations/Window.tsx'
import { addressOf, contactName } from './queries.ts'

const words = texts.contacts

interface Blocking {
  /** Null: who looks may not, it is not known whom, or the person is blocked on the line of the conversation. */
  readonly block: Asking | null
  readonly unblock: Asking | null
  /** The platform blocks only who wrote within 24 hours, and the person did not. */
  readonly isTooLate: boolean
}

/** What blocks a person at the platform, and what ends that. */
export function useBlocking(page: Pick<ConversationPage, 'contact' | 'phoneNumberId' | 'lines'>): Blocking {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const now = useNow()
  const { contact } = page
  if (!can('member') || addressOf(contact) === null) return { block: null, unblock: null, isTooLate: false }
  const { id: contactId, blockedOn } = contact
  const name = contactName(contact)
  const set = (isBlocked: boolean) => () => change(routes.contacts({ contactId }).block.post({ isBlocked }))
  const block = { text: words.blockHint, confirmLabel: words.blockConfirm, onConfirm: set(true) }
  const unblock = {
    text: words.unblockHint,
    confirmLabel: words.unblockConfirm,
    onConfirm: set(false),
    isHarmless: true,
  }
  const line = writingLine(page, null)
  const isFree = line !== null && !blockedOn.includes(line.id)
  const isTooLate = isFree && !isWindowOpen(line, now)
  return {
    isTooLate,
    block: isFree && !isTooLate ? { label: words.block, title: words.blockTitle(name), dialog: block } : null,
    unblock: blockedOn.length > 0 ? { label: words.unblock, title: words.unblockTitle(name), dialog: unblock } : null,
  }
}

interface ButtonProps {
  readonly asking: Asking
  readonly button?: MantineButtonProps
  /** It is about to be done. */
  readonly onAsk?: () => void
}

/** The same as a button. */
export function AskingButton({ asking: { label, title, dialog }, button, onAsk }: ButtonProps) {
  const { text, onConfirm, ...question } = dialog
  const ask = () => {
    onAsk?.()
    return onConfirm()
  }
  return (
    <ConfirmButton {...{ label, title, ...question }} button={{ variant: 'default', ...button }} onConfirm={ask}>
      <Text size="sm">{text}</Text>
    </ConfirmButton>
  )
}
