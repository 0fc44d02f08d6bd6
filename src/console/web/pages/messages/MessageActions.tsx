import { Alert, Button, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { isScheduled, isUncertain } from '../../../../message/statuses.ts'
import { noSendValues, type SendValues, sendFields } from '../../../../templates/authoring/values.ts'
import { toFailure } from '../../api/failure.ts'
import { randomWord } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { useContentKeys } from '../../components/useContentKeys.ts'
import { texts } from '../../texts/texts.ts'
import { type TemplateDetail, useTemplate, useTemplateLines } from '../templates/queries.ts'
import { TemplateValues } from '../templates/TemplateValues.tsx'
import { isFilled } from '../templates/valueFields.ts'
import { FailureWords } from './FailureWords.tsx'
import { type MessageDetails, recipientText } from './queries.ts'
import { ScheduledButtons } from './Scheduled.tsx'

const words = texts.messages
type Message = MessageDetails['message']

/** What a member may do with a message. One that failed is sent again where the page says why it did. */
export function MessageActions({ details }: { details: MessageDetails }) {
  const { message, failure } = details
  const { can } = useWorkspace()
  if (!can('member')) return null
  return (
    <>
      {isUncertain(message.status) && <Settle messageId={message.id} />}
      {isScheduled(message.status) && <ScheduledButtons messageId={message.id} />}
      {failure === null && <SendAgain key={message.id} details={details} />}
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

/** The recipient is the reason. */
const isPointless = (failure: MessageDetails['failure']) => failure?.cure === 'contact'

/** Asks where a message is sent again, and with which values; then shows the new one. Nothing for who may not. */
export function SendAgain({ details }: { details: MessageDetails }) {
  const { message, failure, template, filled, canSendAgain } = details
  const { can } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  // One key for each visit: clicking twice, or trying again after a lost answer, sends once.
  const [idempotencyKey, setKey] = useState(randomWord)
  const close = () => setOpen(false)
  if (!can('member') || !canSendAgain) return null
  return (
    <>
      <Button variant={failure === null || isPointless(failure) ? 'default' : 'filled'} onClick={() => setOpen(true)}>
        {words.sendAgain}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.sendAgainTitle} size={filled ? 'xl' : 'md'}>
        <Again
          message={message}
          failure={failure}
          templateId={template && filled && template.id}
          filled={filled}
          idempotencyKey={idempotencyKey}
          onRefused={() => setKey(randomWord())}
          onCancel={close}
        />
      </FormDialog>
    </>
  )
}

interface AgainProps extends Pick<MessageDetails, 'message' | 'failure' | 'filled'> {
  readonly idempotencyKey: string
  /** The platform refused the new message: it is known that nothing went out. */
  readonly onRefused: () => void
  readonly onCancel: () => void
}

/** @param props.templateId whose values can be changed; null: it goes out as it was */
function Again({ templateId, ...props }: AgainProps & { templateId: string | null }) {
  const template = useTemplate(templateId)
  if (templateId === null) return <AgainForm {...props} detail={null} />
  return <Loaded query={template}>{detail => <AgainForm {...props} detail={detail} />}</Loaded>
}

function AgainForm(props: AgainProps & { detail: TemplateDetail | null }) {
  const { message, failure, filled, detail, idempotencyKey, onRefused, onCancel } = props
  const { id, status, templateName, templateLanguage } = message
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const lines = useTemplateLines().data?.phoneNumbers ?? []
  const recipient = recipientText(message.recipient)
  const [values, setValues] = useState<SendValues>(filled?.values ?? noSendValues)
  const isMended = JSON.stringify(values) !== JSON.stringify(filled?.values)
  const sent = detail && filled && isMended ? sendFields(detail.template.draft, values) : null
  const keyOf = useContentKeys()
  const form = useForm({
    initial: { phone: recipient, phoneNumberId: message.lineId },
    async send({ phone, phoneNumberId }) {
      const again = routes.messages({ messageId: id })['send-again']
      const to = phone.trim() === recipient ? {} : { phone }
      const key = sent ? keyOf(JSON.stringify([idempotencyKey, sent])) : idempotencyKey
      const body = { idempotencyKey: key, phoneNumberId, ...to, ...(sent && { values: sent }) }
      const { messageId } = await change(again.post(body), 'messages')
      return messageId
    },
    onSuccess: messageId => navigate(`/w/${workspaceId}/messages/${messageId}`),
    onError: thrown => toFailure(thrown).reason === 'CHANNEL_GRAPH_ERROR' && onRefused(),
  })
  const { phone, phoneNumberId } = form.fields
  const isSame = phone.trim() === recipient
  const warning = isSame ? (isPointless(failure) ? words.sendAgainPointless : warnings[status]) : null
  const offered = lines.filter(line => line.active || line.id === phoneNumberId)
  const isReady = phone.trim() !== '' && (sent === null || detail === null || isFilled(detail, values))
  const to = phone.trim().startsWith('+') ? { phone: phone.trim() } : { userId: phone.trim() }
  return (
    <Form form={form} submit={words.sendAgainConfirm} onCancel={onCancel} isReady={isReady}>
      <Text size="sm">{filled ? words.sendAgainMend : words.sendAgainHint}</Text>
      {warning && <Alert color="yellow">{warning}</Alert>}
      {failure && (
        <Alert color="red" title={words.failureTitle}>
          <FailureWords failure={failure} />
        </Alert>
      )}
      <TextInput label={words.fields.recipient} required autoComplete="off" {...form.text('phone')} />
      <NativeSelect
        label={words.line}
        data={offered.map(line => ({ value: line.id, label: lineName(line) }))}
        {...form.text('phoneNumberId')}
      />
      {detail && filled && (
        <>
          <Text fw={600} className="breakable">
            {templateName}{' '}
            <Text span size="xs" c="dimmed">
              {templateLanguage}
            </Text>
          </Text>
          <TemplateValues
            detail={detail}
            values={values}
            onChange={setValues}
            wrong={filled.wrong}
            message={
              sent && isReady
                ? { type: 'template', templateName, templateLanguage, phoneNumberId, ...to, ...sent }
                : null
            }
          />
        </>
      )}
    </Form>
  )
}

/** What to think of before it is sent again to the same number; null: nothing. */
const warnings: Readonly<Record<Message['status'], string | null>> = {
  SCHEDULED: null,
  QUEUED: null,
  DELIVERED: words.sendAgainDelivered,
  READ: words.sendAgainDelivered,
  SENT: words.sendAgainUnknown,
  FAILED: null,
  UNKNOWN: words.sendAgainUnknown,
  CANCELLED: null,
}
