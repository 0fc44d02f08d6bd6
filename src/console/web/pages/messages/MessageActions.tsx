import { Alert, Button, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { isUncertain } from '../../../../message/statuses.ts'
import { toFailure } from '../../api/failure.ts'
import { randomWord } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { texts } from '../../texts/texts.ts'
import { useTemplateLines } from '../templates/queries.ts'
import { type MessageDetails, recipientText } from './queries.ts'

const words = texts.messages
type Message = MessageDetails['message']

/** What a member may do with a message. */
export function MessageActions({ details: { message, failure, canSendAgain } }: { details: MessageDetails }) {
  const { can } = useWorkspace()
  if (!can('member')) return null
  return (
    <>
      {isUncertain(message.status) && <Settle messageId={message.id} />}
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

/** Asks where a message is sent again; then shows the new one. @param props.isPointless the recipient is the reason */
function SendAgain({ message, isPointless }: { message: Message; isPointless: boolean }) {
  const [isOpen, setOpen] = useState(false)
  // One key for each visit: clicking twice, or trying again after a lost answer, sends once.
  const [idempotencyKey, setKey] = useState(randomWord)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant={isPointless ? 'subtle' : 'default'} onClick={() => setOpen(true)}>
        {words.sendAgain}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.sendAgainTitle}>
        <AgainForm
          message={message}
          idempotencyKey={idempotencyKey}
          onRefused={() => setKey(randomWord())}
          onCancel={close}
        />
      </FormDialog>
    </>
  )
}

/** @param props.onRefused the platform refused the new message: it is known that nothing went out */
function AgainForm(props: { message: Message; idempotencyKey: string; onRefused: () => void; onCancel: () => void }) {
  const { message, idempotencyKey, onRefused, onCancel } = props
  const { id, status } = message
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const lines = useTemplateLines().data?.phoneNumbers ?? []
  const recipient = recipientText(message.recipient)
  const form = useForm({
    initial: { phone: recipient, phoneNumberId: message.lineId },
    async send({ phone, phoneNumberId }) {
      const again = routes.messages({ messageId: id })['send-again']
      const to = phone.trim() === recipient ? {} : { phone }
      const { messageId } = await change(again.post({ idempotencyKey, phoneNumberId, ...to }), 'messages')
      return messageId
    },
    onSuccess: messageId => navigate(`/w/${workspaceId}/messages/${messageId}`),
    onError: thrown => toFailure(thrown).reason === 'CHANNEL_GRAPH_ERROR' && onRefused(),
  })
  const { phone, phoneNumberId } = form.fields
  const warning = phone.trim() === recipient ? warnings[status] : null
  const offered = lines.filter(line => line.active || line.id === phoneNumberId)
  return (
    <Form form={form} submit={words.sendAgainConfirm} onCancel={onCancel} isReady={phone.trim() !== ''}>
      <Text size="sm">{words.sendAgainHint}</Text>
      {warning && <Alert color="yellow">{warning}</Alert>}
      <TextInput label={words.fields.recipient} required autoComplete="off" {...form.text('phone')} />
      <NativeSelect
        label={words.line}
        data={offered.map(line => ({ value: line.id, label: lineName(line) }))}
        {...form.text('phoneNumberId')}
      />
    </Form>
  )
}

/** What to think of before it is sent again to the same number; null: nothing. */
const warnings: Readonly<Record<Message['status'], string | null>> = {
  QUEUED: null,
  DELIVERED: words.sendAgainDelivered,
  READ: words.sendAgainDelivered,
  SENT: words.sendAgainUnknown,
  FAILED: null,
  UNKNOWN: words.sendAgainUnknown,
}
