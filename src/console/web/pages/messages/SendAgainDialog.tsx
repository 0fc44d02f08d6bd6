import { Alert, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { newIdempotencyKey } from '../../api/idempotencyKey.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { texts } from '../../texts/texts.ts'
import type { MessageDetails } from './queries.ts'
import { recipientText } from './words.ts'

const words = texts.messages

/** Asks before a message is sent again; then shows the new one. */
export function SendAgainDialog(props: { message: MessageDetails['message']; opened: boolean; onClose: () => void }) {
  const { message, opened, onClose } = props
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  // One key for each dialog: clicking twice, or retrying after a lost answer, sends once.
  useEffect(() => {
    if (opened) setKey(newIdempotencyKey())
  }, [opened])
  const send = async () => {
    const again = routes.messages({ messageId: message.id })['send-again']
    const { messageId } = await change(again.post({ idempotencyKey }), 'messages')
    navigate(`/w/${workspaceId}/messages/${messageId}`)
  }
  const warning = warnings[message.status]
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={words.sendAgainTitle}
      confirmLabel={words.sendAgainConfirm}
      onConfirm={send}
      isHarmless
    >
      <Text size="sm">{words.sendAgainHint(recipientText(message.recipient))}</Text>
      {warning && <Alert color="yellow">{warning}</Alert>}
    </ConfirmDialog>
  )
}

const warnings: Readonly<Partial<Record<MessageDetails['message']['status'], string>>> = {
  DELIVERED: words.sendAgainDelivered,
  READ: words.sendAgainDelivered,
  SENT: words.sendAgainUnknown,
  UNKNOWN: words.sendAgainUnknown,
}
