import { Alert, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { newIdempotencyKey } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { texts } from '../../texts/texts.ts'
import { type MessageDetails, recipientText } from './queries.ts'

const words = texts.messages
type Message = MessageDetails['message']

/** What a member may do with a message. */
export function MessageActions({ details: { message, failure, canSendAgain } }: { details: MessageDetails }) {
  const { can } = useWorkspace()
  if (!can('member')) return null
  return (
    <>
      {message.status === 'UNKNOWN' && <Settle messageId={message.id} />}
      {canSendAgain && <SendAgain key={message.id} message={message} isPointless={failure?.cure === 'contact'} />}
    </>
  )
}

/** Asks for the outcome of a message whose outcome is unknown. */
function Settle({ messageId }: { messageId: string }) {
  const { routes, change } = useWorkspaceRoutes()
  const [as, setAs] = useState<'SENT' | 'FAILED' | null>(null)
  const settle = async () => {
    if (as !== null) await change(routes.messages({ messageId }).settle.post({ as }), 'messages')
  }
  return (
    <ConfirmButton
      label={words.settle}
      button={{}}
      title={words.settleTitle}
      confirmLabel={words.settleConfirm}
      onConfirm={settle}
      isReady={as !== null}
      isHarmless
    >
      <Radio.Group label={words.settleAs} value={as} onChange={value => setAs(value === 'SENT' ? 'SENT' : 'FAILED')}>
        <Stack gap="xs" mt="xs">
          <Radio value="SENT" label={words.settleAsSent} />
          <Radio value="FAILED" label={words.settleAsFailed} />
        </Stack>
      </Radio.Group>
      <Hint>{words.settleHint}</Hint>
    </ConfirmButton>
  )
}

/** Asks before a message is sent again; then shows the new one. @param props.isPointless the recipient is the reason */
function SendAgain({ message, isPointless }: { message: Message; isPointless: boolean }) {
  const { id, status, recipient } = message
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  // One key for each visit: clicking twice, or trying again after a lost answer, sends once.
  const [idempotencyKey] = useState(newIdempotencyKey)
  const send = async () => {
    const again = routes.messages({ messageId: id })['send-again']
    const { messageId } = await change(again.post({ idempotencyKey }), 'messages')
    navigate(`/w/${workspaceId}/messages/${messageId}`)
  }
  const warning = warnings[status]
  return (
    <ConfirmButton
      label={words.sendAgain}
      button={{ variant: isPointless ? 'subtle' : 'default' }}
      title={words.sendAgainTitle}
      confirmLabel={words.sendAgainConfirm}
      onConfirm={send}
      isHarmless
    >
      <Text size="sm">{words.sendAgainHint(recipientText(recipient))}</Text>
      {warning && <Alert color="yellow">{warning}</Alert>}
    </ConfirmButton>
  )
}

const warnings: Readonly<Partial<Record<Message['status'], string>>> = {
  DELIVERED: words.sendAgainDelivered,
  READ: words.sendAgainDelivered,
  SENT: words.sendAgainUnknown,
  UNKNOWN: words.sendAgainUnknown,
}
