import { Alert, Group, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { hintBelow, labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { useContentKeys } from '../../components/useContentKeys.ts'
import { templates as words } from '../../texts/en/templates.ts'
import { MessageProgress } from '../messages/MessageProgress.tsx'
import { Problems } from '../messages/Problems.tsx'
import { type ShownTemplate, useTemplateLines } from './queries.ts'

/**
 * Sends the template to one number, in the same way as the API does.
 * @param props.template without a name, nothing is checked before: the first message has the template's own examples
 * @param props.phone to begin with
 */
export function TestSend(props: {
  template: Pick<ShownTemplate, 'id' | 'status'> & Partial<Pick<ShownTemplate, 'name' | 'language'>>
  phoneNumberId: string
  fields: object
  phone?: string
}) {
  const { template, phoneNumberId, fields: values, phone: given = '' } = props
  const { routes } = useWorkspaceRoutes()
  const lines = useTemplateLines()
  const keyOf = useContentKeys()
  const form = useForm({
    initial: { phone: given },
    send({ phone }) {
      const idempotencyKey = `console-${keyOf(JSON.stringify({ phone, values }))}`
      const test = { phoneNumberId, phone, idempotencyKey, values }
      return answerOf(routes.templates({ templateId: template.id }).test.post(test))
    },
  })
  const isActive = lines.data?.phoneNumbers.find(line => line.id === phoneNumberId)?.active ?? true
  const why = template.status !== 'APPROVED' ? words.testNeedsApproval : isActive ? null : words.testNeedsLine
  const { data: sent } = form.sent
  const send = (button: ReactNode) => (
    <>
      {sent && (
        <Alert color="teal" role="status">
          {sent.isReplay && words.testReplayed}
          <MessageProgress messageId={sent.messageId} />
        </Alert>
      )}
      <Group>{button}</Group>
    </>
  )
  const named = { type: 'template', templateName: template.name, templateLanguage: template.language }
  const isReady = why === null && form.fields.phone.trim() !== ''
  return (
    <Form form={form} submit={words.sendTest} actions={send} isReady={isReady} gap="sm">
      <Hint>{words.testHint}</Hint>
      <TextInput
        {...labelled(words, 'testPhone')}
        inputWrapperOrder={hintBelow}
        required
        type="tel"
        autoComplete="off"
        {...form.text('phone')}
      />
      {isReady && template.name !== undefined && (
        <Problems message={{ ...named, ...values, phone: form.fields.phone, phoneNumberId }} />
      )}
      {why && (
        <Text size="sm" role="status">
          {why}
        </Text>
      )}
    </Form>
  )
}
