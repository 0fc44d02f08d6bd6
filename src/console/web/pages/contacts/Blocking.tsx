import { type ButtonProps as MantineButtonProps, Text } from '@mantine/core'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import type { Asking } from '../../components/ActionMenu.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { texts } from '../../texts/texts.ts'
import type { ConversationPage } from '../conversations/queries.ts'
import { addressOf, contactName } from './queries.ts'

const words = texts.contacts

interface Blocking {
  /** Null: who looks may not, it is not known whom, or the person is blocked on the line of the conversation. */
  readonly block: Asking | null
  readonly unblock: Asking | null
}

/** What blocks a person at the platform, and what ends that. */
export function useBlocking({ contact, phoneNumberId }: Pick<ConversationPage, 'contact' | 'phoneNumberId'>): Blocking {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  if (!can('member') || addressOf(contact) === null) return { block: null, unblock: null }
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
  const isOffered = phoneNumberId !== null && !blockedOn.includes(phoneNumberId)
  return {
    block: isOffered ? { label: words.block, title: words.blockTitle(name), dialog: block } : null,
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
